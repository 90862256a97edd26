//! Sets of ASCII bytes, and how long a run of them is.

/// A set of ASCII bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Charset([u64; 2]);

pub(super) const DIGITS: Charset = Charset::of("0-9");
pub(super) const LOWER: Charset = Charset::of("a-z");
pub(super) const UPPER: Charset = Charset::of("A-Z");
pub(super) const HEX: Charset = Charset::of("0-9a-fA-F");
/// Twilio writes hexadecimal digits in lower case only.
pub(super) const LOWER_HEX: Charset = Charset::of("0-9a-f");
pub(super) const LOWER_ALNUM: Charset = Charset::of("0-9a-z");
pub(super) const UPPER_ALNUM: Charset = Charset::of("0-9A-Z");
pub(super) const BASE32: Charset = Charset::of("2-7A-Z");
/// Bitcoin's alphabet: no `0`, `O`, `I`, `l`.
pub(super) const BASE58: Charset = Charset::of("1-9A-HJ-NP-Za-km-z");
pub(super) const BASE62: Charset = Charset::of("0-9A-Za-z");
/// The standard alphabet with its padding.
pub(super) const BASE64: Charset = Charset::of("0-9A-Za-z+/=");
pub(super) const BASE64URL: Charset = Charset::of("0-9A-Za-z_-");
/// Bech32 in upper case, as age writes secret keys.
pub(super) const BECH32_UPPER: Charset = Charset::of("02-9AC-HJ-NP-Z");

impl Charset {
    /// The set that a bracket expression names: `a-z` is a range; a `-` at the end is itself.
    pub(super) const fn of(spec: &str) -> Self {
        let spec = spec.as_bytes();
        let mut masks = [0_u64; 2];
        let mut at = 0;
        while at < spec.len() {
            let first = spec[at];
            let is_range = at + 2 < spec.len() && spec[at + 1] == b'-';
            let last = if is_range { spec[at + 2] } else { first };
            let mut byte = first;
            while byte <= last {
                masks[(byte / 64) as usize] |= 1 << (byte % 64);
                byte += 1;
            }
            at += if is_range { 3 } else { 1 };
        }
        Self(masks)
    }

    pub(super) const fn contains(self, byte: u8) -> bool {
        byte < 128 && self.0[(byte / 64) as usize] >> (byte % 64) & 1 == 1
    }

    /// How many bytes of the set stand at the start of `bytes`; counts no further than `limit`.
    pub(super) fn run(self, bytes: &[u8], limit: usize) -> usize {
        bytes
            .iter()
            .take(limit)
            .take_while(|&&byte| self.contains(byte))
            .count()
    }

    /// As [`Self::run`], but at the end of `bytes`, backwards.
    pub(super) fn run_back(self, bytes: &[u8], limit: usize) -> usize {
        bytes
            .iter()
            .rev()
            .take(limit)
            .take_while(|&&byte| self.contains(byte))
            .count()
    }

    /// Whether every byte of `text` is in the set.
    pub(super) fn holds(self, text: &str) -> bool {
        text.bytes().all(|byte| self.contains(byte))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_and_single_bytes() {
        assert!(HEX.holds("09afAF") && !HEX.contains(b'g'));
        assert!(BASE64URL.holds("aZ0_-") && !BASE64URL.contains(b'+'));
        assert!(!BASE58.contains(b'l') && !BASE58.contains(b'0'));
        assert!(!BASE62.contains(b'\xC3'));
        assert_eq!(
            "023456789ACDEFGHJKLMNPQRSTUVWXYZ".len(),
            (0..128_u8).filter(|&b| BECH32_UPPER.contains(b)).count()
        );
    }

    #[test]
    fn runs_stop_at_the_limit() {
        assert_eq!(DIGITS.run(b"1234x", 3), 3);
        assert_eq!(DIGITS.run(b"1234x", 9), 4);
        assert_eq!(DIGITS.run_back(b"x1234", 9), 4);
    }
}
