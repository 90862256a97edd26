//! How random a piece of text looks, by its letters alone.

/// Shannon entropy in bits per byte.
pub(super) fn shannon(text: &str) -> f64 {
    let mut counts = [0_u32; 256];
    for byte in text.bytes() {
        counts[usize::from(byte)] += 1;
    }
    #[expect(
        clippy::cast_precision_loss,
        reason = "lengths here are far below 2^52"
    )]
    let length = text.len() as f64;
    // The entropy of n bytes is log2(n) less the mean of log2 of how often each byte occurs.
    let repeated: f64 = counts
        .iter()
        .filter(|&&count| count > 1)
        .map(|&count| f64::from(count) * f64::from(count).log2())
        .sum();
    if text.is_empty() {
        return 0.0;
    }
    length.log2() - repeated / length
}

/// Whether the entropy is what a random value of this length has.
///
/// The floor is 3.0 bits a byte: random hexadecimal digits have about 3.6, other alphabets more.
/// A short value can't reach it: its entropy is at most the logarithm of its length, so the floor
/// is 58 % of that. Of random values fewer than one in 20,000 falls below, in every alphabet here.
pub(super) fn is_random(text: &str) -> bool {
    #[expect(
        clippy::cast_precision_loss,
        reason = "lengths here are far below 2^52"
    )]
    let most = (text.len().max(1) as f64).log2();
    shannon(text) >= (0.58 * most).min(3.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entropy_of_known_texts() {
        assert!(shannon("").abs() < 1e-9);
        assert!(shannon("aaaa").abs() < 1e-9);
        assert!((shannon("abcd") - 2.0).abs() < 1e-9);
        assert!((shannon("0123456789abcdef") - 4.0).abs() < 1e-9);
    }

    #[test]
    fn the_floor_follows_the_length() {
        assert!(is_random("Q7mZ2tXw9L"));
        assert!(!is_random("xxxxxxxxxx"));
        assert!(!is_random(&"deadbeef".repeat(4)));
    }
}
