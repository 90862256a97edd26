//! Values made at run time from a seed, so that no key-shaped text is ever committed.

/// SplitMix64: small, seeded, the same everywhere.
pub(super) struct Rng(u64);

impl Rng {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    pub(super) fn below(&mut self, limit: usize) -> usize {
        usize::try_from(self.next() % limit as u64).unwrap()
    }

    /// `length` letters of an alphabet.
    pub(super) fn text(&mut self, alphabet: &str, length: usize) -> String {
        let letters: Vec<char> = alphabet.chars().collect();
        (0..length)
            .map(|_| letters[self.below(letters.len())])
            .collect()
    }
}

const LOWER: &str = "abcdefghijklmnopqrstuvwxyz";
const UPPER: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

fn alphabet(name: &str) -> String {
    match name {
        "digit" => "0123456789".into(),
        "hex" => "0123456789abcdef".into(),
        "az" => LOWER.into(),
        "letter" => format!("{LOWER}{UPPER}"),
        "az09" => format!("0123456789{LOWER}"),
        "AZ09" => format!("0123456789{UPPER}"),
        "base32" => format!("{UPPER}234567"),
        "base58" => "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz".into(),
        "base62" => format!("0123456789{UPPER}{LOWER}"),
        "base64" => format!("0123456789{UPPER}{LOWER}+/"),
        "base64url" => format!("0123456789{UPPER}{LOWER}-_"),
        "azure" => format!("0123456789{UPPER}{LOWER}_~.-"),
        "planetscale" => format!("0123456789{UPPER}{LOWER}_-.="),
        "xai" => format!("0123456789{UPPER}{LOWER}_"),
        "bech32" => "023456789ACDEFGHJKLMNPQRSTUVWXYZ".into(),
        other => panic!("no alphabet {other}"),
    }
}

/// Fills a template: `{hex:40}` is 40 random letters of an alphabet, `{base62:41-49}` between 41
/// and 49, `{crc}` GitHub's checksum of the 30 characters before it. The rest is itself.
pub(super) fn fill(template: &str, rng: &mut Rng) -> String {
    let mut value = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        value.push_str(before);
        let (field, after) = after.split_once('}').unwrap();
        rest = after;
        if field == "crc" {
            let sum = crc_base62(&value[value.len() - 30..]);
            value.push_str(&sum);
            continue;
        }
        let (name, length) = field.split_once(':').unwrap();
        let (min, max) = length.split_once('-').unwrap_or((length, length));
        let (min, max): (usize, usize) = (min.parse().unwrap(), max.parse().unwrap());
        let length = min + rng.below(max - min + 1);
        value.push_str(&rng.text(&alphabet(name), length));
    }
    value + rest
}

/// The checksum of GitHub's and of our own keys, written independently of the scanner.
pub(super) fn crc_base62(text: &str) -> String {
    let digits: Vec<char> = alphabet("base62").chars().collect();
    let mut rest = u64::from(crc32fast::hash(text.as_bytes()));
    let mut sum = String::new();
    for _ in 0..6 {
        sum.insert(0, digits[usize::try_from(rest % 62).unwrap()]);
        rest /= 62;
    }
    sum
}

/// Base64 in the URL alphabet, without padding.
pub(super) fn base64url(bytes: &[u8]) -> String {
    let digits: Vec<char> = format!("{UPPER}{LOWER}0123456789-_").chars().collect();
    let mut text = String::new();
    for group in bytes.chunks(3) {
        let mut padded = [0; 4];
        padded[1..=group.len()].copy_from_slice(group);
        let bits = u32::from_be_bytes(padded);
        for place in 0..=group.len() {
            let index = bits >> (18 - 6 * place) & 63;
            text.push(digits[index as usize]);
        }
    }
    text
}
