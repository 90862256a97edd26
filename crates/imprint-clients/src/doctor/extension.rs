//! Items that the skills extension of MCP can't serve: a client that loads skills that way lacks
//! them.

use super::{Ailment, Finding, KeptItem};

/// A note for each of them. The tool `skills` gives them all the same.
pub(super) fn findings(items: &[KeptItem]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for item in items {
        let Some(why) = &item.unservable else {
            continue;
        };
        let (kind, name) = (item.kind, &item.name);
        let what = format!(
            "the {kind} `{name}` is left out for clients that load skills over MCP by themselves: {why}"
        );
        let finding = Finding::note(Ailment::Unserved, what);
        findings.push(finding.command(format!("imprint {kind}s edit {name}")));
    }
    findings
}

#[cfg(test)]
mod tests {
    use imprint_core::served::Unservable;
    use imprint_format::ItemKind;

    use super::*;

    #[test]
    fn what_is_left_out_is_told_with_its_reason() {
        let item = |kind, name: &str, unservable| KeptItem {
            kind,
            name: name.to_owned(),
            bytes: 1,
            unservable,
        };
        let number = Unservable::NoText {
            field: "name",
            noun: "a number",
        };
        let found = findings(&[
            item(ItemKind::Persona, "tea", None),
            item(ItemKind::Skill, "42", Some(number)),
        ]);
        let [finding] = &found[..] else {
            panic!("{found:?}")
        };
        insta::assert_snapshot!(finding.what, @"the skill `42` is left out for clients that load skills over MCP by themselves: its `name` is a number for readers of YAML, not a text; put it in double quotes");
        assert!(!finding.is_to_be_mended());
        let command = "imprint skills edit 42".to_owned();
        assert_eq!(finding.mend, Some(super::super::Mend::Command(command)));
    }
}
