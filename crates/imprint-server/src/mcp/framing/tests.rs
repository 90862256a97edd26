use proptest::prelude::*;

use super::*;

/// The answer that a line gets at once: its id and its code.
fn answer(line: &str) -> Option<(Value, i64)> {
    match classify(line.as_bytes()) {
        Frame::Refused(refusal) => {
            let json = refusal.to_json();
            let code = json["error"]["code"].as_i64().expect("a code");
            Some((json["id"].clone(), code))
        }
        _ => None,
    }
}

fn request(line: &str) -> Request {
    match classify(line.as_bytes()) {
        Frame::Request(request) => request,
        other => panic!("{line}: {other:?}"),
    }
}

#[test]
fn lines_that_are_no_json_get_a_parse_error_without_id() {
    for line in [
        "{",
        r#"{"jsonrpc":"2.0","id":1,"method":"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"ping"} trailing"#,
        "Content-Length: 12",
        "\0",
        r#"{"id":1,"method":"ping","params":{"a":"\ud800"}"#,
    ] {
        assert_eq!(answer(line), Some((Value::Null, -32700)), "{line}");
    }
    assert!(matches!(
        classify(b"\xff\xfe{\"jsonrpc\""),
        Frame::Refused(refusal) if refusal.code == ErrorCode::PARSE_ERROR
    ));
}

#[test]
fn damaged_requests_get_their_id_back() {
    for (line, id) in [
        (r#"{"id":1,"method":"ping"}"#, json!(1)),
        (r#"{"jsonrpc":"1.0","id":"a","method":"ping"}"#, json!("a")),
        (r#"{"jsonrpc":"2.0","id":3,"method":5}"#, json!(3)),
        (r#"{"jsonrpc":"2.0","id":4}"#, json!(4)),
        (
            r#"{"jsonrpc":"2.0","id":5,"method":"ping","result":{}}"#,
            json!(5),
        ),
        (
            r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#,
            Value::Null,
        ),
        (r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, Value::Null),
        (r#"{"jsonrpc":"2.0","id":1.0,"method":"ping"}"#, Value::Null),
        (
            r#"{"jsonrpc":"2.0","id":true,"method":"ping"}"#,
            Value::Null,
        ),
        (r#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#, Value::Null),
        (
            r#"{"jsonrpc":"2.0","id":9223372036854775808,"method":"ping"}"#,
            json!(9_223_372_036_854_775_808_u64),
        ),
        (
            r#"{"jsonrpc":"2.0","id":99999999999999999999999,"method":"ping"}"#,
            Value::Null,
        ),
        (r#"{"jsonrpc":"2.0","method":1}"#, Value::Null),
        ("{}", Value::Null),
        ("[]", Value::Null),
        (r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#, Value::Null),
        ("7", Value::Null),
        ("null", Value::Null),
    ] {
        assert_eq!(answer(line), Some((id, -32600)), "{line}");
    }
    let params = r#"{"jsonrpc":"2.0","id":4,"method":"tools/list","params":[1]}"#;
    assert_eq!(answer(params), Some((json!(4), -32602)));
}

#[test]
fn json_that_cannot_be_taken_in_gets_its_id_back() {
    let deep = format!(
        r#"{{"jsonrpc":"2.0","id":"deep","method":"tools/call","params":{}{}}}"#,
        r#"{"a":"#.repeat(100_000),
        "1".to_owned() + &"}".repeat(100_000)
    );
    assert_eq!(answer(&deep), Some((json!("deep"), -32600)));
    let lone = r#"{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":"\ud83d"}}"#;
    assert_eq!(answer(lone), Some((json!(8), -32600)));
    let batch = format!("{}{}", "[".repeat(5_000), "]".repeat(5_000));
    assert_eq!(answer(&batch), Some((Value::Null, -32600)));
    let full = format!(
        r#"{{"jsonrpc":"2.0","id":-3,"method":"ping","params":{{"a":[{}1]}}}}"#,
        "[],".repeat(VALUES)
    );
    assert_eq!(answer(&full), Some((json!(-3), -32600)));
    let text = format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"ping","params":{{"a":"\"{}"}}}}"#,
        "[],".repeat(VALUES)
    );
    assert_eq!(request(&text).id, RequestId::Number(1));
    let unasked = r#"{"jsonrpc":"2.0","method":"notifications/x","params":{"a":"\udc00"}}"#;
    assert!(matches!(classify(unasked.as_bytes()), Frame::Ignored(_)));
}

#[test]
fn ids_come_through_with_type_and_value() {
    let id = |id: &str| request(&format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#)).id;
    assert_eq!(
        id("9007199254740993"),
        RequestId::Number(9_007_199_254_740_993)
    );
    assert_eq!(id("-1"), RequestId::Number(-1));
    assert_eq!(id("-9223372036854775808"), RequestId::Number(i64::MIN));
    assert_eq!(id(r#""7""#), RequestId::String("7".into()));
    assert_eq!(id(r#""""#), RequestId::String("".into()));
    assert_eq!(id(r#""ü漢😀""#), RequestId::String("ü漢😀".into()));
}

#[test]
fn blanks_carriage_returns_and_a_byte_order_mark_dont_count() {
    for line in ["", "\r", "  \t ", "\u{feff}", "\u{feff}\r"] {
        assert_eq!(classify(line.as_bytes()), Frame::Blank, "{line:?}");
    }
    let line = "\u{feff} {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"params\":null}\r";
    assert_eq!(request(line).params, None);
}

#[test]
fn what_has_no_id_gets_no_answer() {
    let line = br#"{"jsonrpc":"2.0","method":"tools/call","params":{"name":"skill_edit"}}"#;
    assert!(matches!(classify(line), Frame::Notification(_)));
    for line in [
        r#"{"jsonrpc":"2.0","id":1,"result":{}}"#,
        r#"{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"no"}}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":[]}"#,
    ] {
        assert!(
            matches!(classify(line.as_bytes()), Frame::Ignored(_)),
            "{line}"
        );
    }
    assert!(matches!(
        classify(br#"{"method":"notifications/initialized"}"#),
        Frame::Notification(_)
    ));
}

/// JSON values, a few levels deep.
fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        ".{0,8}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 16, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((".{0,6}", inner), 0..4)
                .prop_map(|entries| Value::Object(entries.into_iter().collect())),
        ]
    })
}

/// Objects with the members of messages, right and wrong ones.
fn message() -> impl Strategy<Value = Value> {
    let member = |right: Value| prop_oneof![2 => Just(Some(right)), 1 => prop::option::of(value())];
    (
        member(json!("2.0")),
        member(json!(7)),
        member(json!("tools/list")),
        member(json!({})),
        prop::option::weighted(0.1, value()),
    )
        .prop_map(|(jsonrpc, id, method, params, result)| {
            let members = [
                ("jsonrpc", jsonrpc),
                ("id", id),
                ("method", method),
                ("params", params),
                ("result", result),
            ];
            Value::Object(
                members
                    .into_iter()
                    .filter_map(|(key, value)| Some((key.to_owned(), value?)))
                    .collect(),
            )
        })
}

proptest! {
    #[test]
    fn any_bytes_are_judged(line in prop::collection::vec(any::<u8>(), 0..200)) {
        classify(&line);
    }

    #[test]
    fn mangled_requests_are_judged(at in 0_usize..70, byte in any::<u8>()) {
        let mut line = br#"{"jsonrpc":"2.0","id":12,"method":"tools/list","params":{"a":"b"}}"#.to_vec();
        let at = at.min(line.len() - 1);
        line[at] = byte;
        classify(&line);
    }

    #[test]
    fn a_message_with_an_id_is_never_met_with_silence(message in message()) {
        let answers = message.get("result").is_some() && message.get("method").is_none();
        let frame = classify(message.to_string().as_bytes());
        match message.get("id") {
            Some(id) if !answers => match frame {
                Frame::Request(request) => prop_assert_eq!(&request.id.into_json_value(), id),
                Frame::Refused(refusal) => {
                    prop_assert!(refusal.id.is_null() || &refusal.id == id);
                }
                other => prop_assert!(false, "{other:?}"),
            },
            _ => prop_assert!(!matches!(frame, Frame::Request(_))),
        }
    }

    #[test]
    fn a_refusal_is_one_line_of_json(message in value()) {
        if let Frame::Refused(refusal) = classify(message.to_string().as_bytes()) {
            let text = refusal.to_json().to_string();
            prop_assert!(!text.contains('\n'));
        }
    }
}
