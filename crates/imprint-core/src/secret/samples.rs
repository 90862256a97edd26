//! Values that vendors print in their own documentation: they have the right shape, even the
//! right checksum, and open nothing.
//!
//! Kept as SHA-256 digests, so that this file holds nothing of a credential's shape. Samples that
//! say what they are (`…EXAMPLE`) need no entry.

use imprint_format::Digest;

/// Digests of documented samples, under the page or repository that documents them.
const DOCUMENTED: [&str; 46] = [
    // GitHub, "Authorizing OAuth apps" and "Refreshing user access tokens".
    "3543c50b0cb9cea8e55eb1f529b79f043cb250d485fde7b66cabbb5183add7da",
    "bc3ae723f57c6b9e3fd80b699fcc420f6074b0b1718039669d22631d508ac0a7",
    "82e74299544e00738f9c0acb69b1eb348b3e20ffcfabcb34779bd37590fead6c",
    "797c0ce414586cc8eb6929afe947c720e3e4d351dd070a6fe39f630beaab3054",
    "6d7fa4e64d4b1f3ea31962e258b684de1f244434ebb11089b9d9817e44c43303",
    // Stripe, "API reference".
    "2cafc0970149a84f3b9e62eaf169f36f59907a3b3e31f7b82e68c69cd27f7326",
    "f2d6ca16515033e5dce14eba840b979d27b5cbae24bb3e5bf484339667f86397",
    // Telegram, "Bots" and "BotFather".
    "0b5dd075ccdd03c42f4edda8e299e6838e2a75d3486a2a8d86940ed1541e9178",
    "97663138e66699214db9caac00d9d29a9496b38ecf076e4c09284166a238a315",
    // Discord, "API reference: authentication".
    "02f7ce3c263f85c019eeeeea4b08f1b7f6ade2b7a2199c14f3efdac0eef382e1",
    // Slack, "oauth.v2.access".
    "2ddc147f3a3b5a1722b8ed6be3c45c49a7156b17fca5d11410137a6d04def6eb",
    // SendGrid, "API keys".
    "02091175c1ae3023fb1e92ff16e1a5ca44dcd9f449916770f7d4eb192092e273",
    // Mailgun, "Quickstart".
    "9c846fdf0fa8955c377d0301542ee20ecd4585c5f359aa0a4cf15d44424f573d",
    // Grafana, "Service account HTTP API".
    "6b59c03c307209873c0219cde6ef59bc8ac6f22c0a5886dc0ac942523ff592dc",
    // Microsoft, "Use the Azurite emulator".
    "900e6c2bf8ce6c14dbfdcbd6d7402e8fadd53c5464b0ffae66dce9ac06c0e061",
    "0011cc25eb4320717494d2703e8cba85743e71b500283c21c8b88147992f9059",
    // Microsoft, "Use the Azure Cosmos DB emulator".
    "0f11a385d38dacbf89985575308af21ad82e50e24fbfc95e7f552fe04fddc14d",
    "b02efcf236bb5c10cd8f40b4c818a90c2705b00615b6df46a5fa623e32574ee1",
    // firebase/firebase-android-sdk and firebase-js-sdk, test data.
    "2037abcaffb2b77785da716cf7ccff4ff4d00c4ea930db0167b7d71f50af7eb4",
    "3f370c9dd8225c63b5c77de1f785edc9712958f18bb612d5fa2e0ae33aeca682",
    "e4a5542bb7fd7b67e943c71ad29c34b5972c9840597e7eda53e666f44d5da0b9",
    "a19f89ab3555eac10c40741f6df79ecf0935998f15569f8db9d67bce0181fff6",
    "eb540d2b6ee2a0a47c5779bc8a0141784c6b753840d4c6f4e2428a6e86e9e0b1",
    "37f8f09bdf12c2f2eae4ead7273a62ddb0c23459cbf902892f282b57f7ed6619",
    "8731261cb72d86267a32a532ebd3df429e2144e5e4ced7e13568bc9e6c8fb1b1",
    "49f777db995e8260da7ca9ffdf0c08d66f0453e97ec967018baf2cdfe3b582d0",
    "27a9a42931dff7eb2f8434e20a9bce976ea364e7bee49187f19d5cfeca9c7045",
    "dc0fcf046c61640cbd1e8b999ada3262d722c2ca4bf42dceac999020ffdbb614",
    "4c98242dcadc8b29005c6b4aad526552d5ea1842149154c0694adeec75847583",
    "ea9bb1082cf95663f5faca23b8b15ef2aa0fce0a5c6df9c32dcb85b2e0a4513d",
    "3a8b61d0f636b007840c0d40ba12bcf48465dc054cdc1a68704a33521d84b665",
    "a6c814bc555ae62c7bd8b58ec07bf559c7ed3a009976a1e0acc9cef0d4473b41",
    // jwt.io, the signatures of its start page's tokens.
    "051d093c4bdedbf23f905ad01d9c6111414d54e2170e1d7f76657c4e76e3e65b",
    "08831f80b56414a9a76dacd6b428d735b56cbbb222d96efbbc0c18f3e9acaafc",
    "eaa5581c2e8d2f4418f12e51a5d352efebe602d431f547a4aa2e21297bb24af5",
    // RFC 8410, the Ed25519 key of section 10.3.
    "4ff96a60934849a7f7c7733f163824cc22be7da33384bbd0b5de992972ea5586",
    // RFC 6749, tokens, client secret and header of its examples.
    "6c96130f130ab0d6d158397e24d2bcc1c9a5e73ae081f6e983f1c7b545d24a4c",
    "00cf4c781dc37003f7c7dd7d4c9a6ef1e0f4c62d9a291aa8bc398774e3fefd32",
    "e9974c507d2a802143f614c878fcbb622a3800e05e6e0d329fee2c5b6b243329",
    "ca7459e2b26776de081b9a07e40227fd6cff232a1e3233ff6b6aa6d036ca9981",
    "584b27d64ebc1b3341f7fc9a9c3f1a54422e9a1ca3079fd5531d9f489219f8d0",
    // RFC 5849, keys and tokens of its examples.
    "cb87c87e4a138d9a72259d2a01bab15623c9846e568c1509b287721645a6ea53",
    "649e1f5c769e718ba10d1a702a36499a731441d960b06da91c4c97786bf84595",
    "bb9b1163338b2a51495834ad5c65420443d6327381cf0f94ebf92b117f209d72",
    "4c20e6f5cc11b93731e74cbe20739821d61c3563c9f50ecb884a27cd369f01fb",
    // RFC 7617, the header of its example.
    "cf4d418ed3de92d71f767db5391d5a2dacd40e1ce49e75d1137e2ecf4982d844",
];

/// Whether a vendor documents this very value.
pub(super) fn is_documented(value: &str) -> bool {
    let digest = Digest::of(value.as_bytes()).to_string();
    DOCUMENTED.contains(&digest.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_is_known_by_its_whole_value() {
        let sample = ["sk_te", "st_4eC39HqLyjWD", "arjtT1zdp7dc"].concat();
        assert!(is_documented(&sample));
        assert!(!is_documented(&sample[1..]));
    }
}
