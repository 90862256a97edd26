//! Cases about who may ask, what they did, what agents suggest, and sessions over HTTP.

use std::{collections::BTreeMap, sync::Arc};

use imprint_core::{
    Act, AuditEnd, AuditEntry, AuditRow, Batch, Change, CommitError, HeardSession, ItemFence,
    KeyId, KeyMaker, KeyRecord, LocalChange, LogPosition, OwnerId, Preset, ProposalId,
    ProposalState, SessionRecord, Store, Subject, Suggestion, Timestamp, Token, TokenKind, audit,
};
use uuid::Uuid;

use super::{OWNER, batch, commit, create, draft, id, local, session};

fn key(number: u8, created_at: i64) -> KeyRecord {
    let token = Token::mint(TokenKind::Key, [number; 32]);
    KeyRecord {
        id: KeyId(Uuid::from_u128(number.into())),
        name: format!("key {number}"),
        digest: token.digest(),
        start: token.start().to_owned(),
        end: token.end().to_owned(),
        scopes: Preset::Read.scopes(),
        fence: ItemFence::default(),
        projects: Vec::new(),
        client: None,
        made_by: KeyMaker::User,
        created_at: Timestamp(created_at),
        expires_at: None,
        last_used_at: None,
        last_client: None,
        revoked_at: None,
        replaces: None,
    }
}

fn made(key: &KeyRecord) -> LocalChange {
    LocalChange::KeyMade(Box::new(key.clone()))
}

async fn change(store: &dyn Store, changes: impl Into<Vec<LocalChange>>) {
    let committed = store.commit(OWNER, local(changes), BTreeMap::new()).await;
    committed.unwrap();
}

async fn rows(store: &dyn Store) -> Vec<AuditRow> {
    let links = store.audit(OWNER, 0, 999).await.unwrap();
    audit::verify(AuditEnd::NOTHING, &links).unwrap();
    let row = |link: &imprint_core::AuditLink| serde_json::from_str(&link.row).unwrap();
    links.iter().map(row).collect()
}

async fn acts(store: &dyn Store) -> Vec<Act> {
    let rows = rows(store).await;
    rows.into_iter().map(|row| row.entry.act).collect()
}

pub(crate) async fn keys_are_found_by_digest(store: Arc<dyn Store>) {
    let plain = key(2, 10);
    assert_eq!(store.key(OWNER, plain.digest).await.unwrap(), None);
    let full = KeyRecord {
        fence: ItemFence {
            names: vec!["alpha".parse().unwrap()],
            tags: vec!["team".to_owned()],
        },
        projects: vec!["imprint".parse().unwrap()],
        client: Some("claude-code".to_owned()),
        made_by: KeyMaker::Connect,
        expires_at: Some(Timestamp(90)),
        last_used_at: Some(Timestamp(30)),
        last_client: Some("a-client".to_owned()),
        revoked_at: Some(Timestamp(50)),
        replaces: Some(plain.id),
        ..key(1, 20)
    };
    // A key is worth a registry where there is none yet.
    change(&*store, [made(&full), made(&plain)]).await;
    assert!(store.exists().await.unwrap());
    let oldest_first = [plain.clone(), full.clone()];
    assert_eq!(store.keys(OWNER).await.unwrap(), oldest_first);
    for key in [&plain, &full] {
        let found = store.key(OWNER, key.digest).await.unwrap();
        assert_eq!(found.as_ref(), Some(key));
        let other = OwnerId(Uuid::from_u128(9));
        assert_eq!(store.key(other, key.digest).await.unwrap(), None);
    }
    assert_eq!(store.key(OWNER, key(3, 0).digest).await.unwrap(), None);
}

pub(crate) async fn a_key_keeps_its_first_end_and_its_last_use(store: Arc<dyn Store>) {
    let made_key = key(1, 10);
    let id = made_key.id;
    let used = |at, client: Option<&str>| LocalChange::KeyUsed {
        key: id,
        at: Timestamp(at),
        client: client.map(str::to_owned),
    };
    let ends = |at| LocalChange::KeyEnds {
        key: id,
        at: Timestamp(at),
    };
    let revoked = |at| LocalChange::KeyRevoked {
        key: id,
        at: Timestamp(at),
    };
    let renamed = LocalChange::KeyRenamed {
        key: id,
        name: "another".to_owned(),
    };
    change(&*store, [made(&made_key), made(&key(7, 5)), renamed]).await;
    change(&*store, [ends(80), ends(60), ends(70)]).await;
    change(&*store, [used(40, Some("one")), used(30, None)]).await;
    change(&*store, [revoked(50), revoked(55)]).await;
    let expected = KeyRecord {
        name: "another".to_owned(),
        expires_at: Some(Timestamp(60)),
        last_used_at: Some(Timestamp(40)),
        last_client: Some("one".to_owned()),
        revoked_at: Some(Timestamp(50)),
        ..made_key
    };
    let found = store.key(OWNER, expected.digest).await.unwrap();
    assert_eq!(found, Some(expected));
    let other = store.key(OWNER, key(7, 5).digest).await.unwrap();
    assert_eq!(other, Some(key(7, 5)), "others stay as they were");
}

pub(crate) async fn every_change_has_its_row_in_the_audit(store: Arc<dyn Store>) {
    let refused = |reason: &str| {
        let subject = Subject::new("tool", None, Some("skill_edit"));
        LocalChange::Audit(AuditEntry::new(Act::Refused, subject).detail(reason))
    };
    // A refusal where nothing is kept leaves nothing.
    change(&*store, [refused("early")]).await;
    assert!(!store.exists().await.unwrap());

    let alpha = create(&*store, 1, "alpha").await;
    change(&*store, [made(&key(1, 10)), refused("no right")]).await;
    let stale = draft(1, "alpha", "stale", &[]);
    commit(&*store, [Change::Revise(stale)]).await.unwrap_err();
    let edit = draft(1, "alpha", "edited", &[alpha.head]);
    let edited = commit(&*store, [Change::Revise(edit)]).await.unwrap();
    let uncounted = LocalChange::Loaded(id(1));
    change(&*store, [uncounted, LocalChange::Session(session(1, 5))]).await;

    let expected = [
        Act::ItemCreated,
        Act::KeyCreated,
        Act::Refused,
        Act::ItemChanged,
    ];
    assert_eq!(acts(&*store).await, expected);
    let last = rows(&*store).await.pop().unwrap();
    assert_eq!((last.seq, last.at), (4, Timestamp(1_000)));
    assert_eq!(last.entry.before, Some(alpha.head));
    assert_eq!(last.entry.after, Some(edited.items[0].head));
    let page = store.audit(OWNER, 1, 2).await.unwrap();
    let all = store.audit(OWNER, 0, 999).await.unwrap();
    assert_eq!(page, all[1..3]);
    let other = OwnerId(Uuid::from_u128(9));
    assert_eq!(store.audit(other, 0, 9).await.unwrap(), []);
}

pub(crate) async fn many_writers_leave_no_gap_in_the_audit(store: Arc<dyn Store>) {
    create(&*store, 1, "alpha").await;
    let mut writers = tokio::task::JoinSet::new();
    for writer in 0..8_u8 {
        let store = Arc::clone(&store);
        writers.spawn(async move {
            for number in 0..4 {
                let number = writer * 10 + number + 10;
                change(&*store, [made(&key(number, number.into()))]).await;
                create(&*store, number.into(), &format!("item-{number}")).await;
            }
        });
    }
    writers.join_all().await;
    let rows = rows(&*store).await;
    let numbers: Vec<u64> = rows.iter().map(|row| row.seq).collect();
    assert_eq!(numbers, (1..=65).collect::<Vec<_>>());
}

fn suggestion(
    number: u128,
    item: u128,
    text: &str,
    base: Option<imprint_core::RevisionId>,
) -> Suggestion {
    let parents: Vec<_> = base.into_iter().collect();
    Suggestion {
        id: ProposalId(Uuid::from_u128(number)),
        draft: draft(item, "alpha", text, &parents),
    }
}

fn decide(number: u128, accept: bool) -> Change {
    Change::Decide {
        proposal: ProposalId(Uuid::from_u128(number)),
        accept,
    }
}

async fn states(store: &dyn Store, state: Option<ProposalState>) -> Vec<(u128, ProposalState)> {
    let found = store.proposals(OWNER, state, 9).await.unwrap();
    found
        .iter()
        .map(|proposal| (proposal.id.0.as_u128(), proposal.state))
        .collect()
}

pub(crate) async fn a_proposal_waits_until_it_is_decided(store: Arc<dyn Store>) {
    use ProposalState::{Accepted, Pending, Rejected};

    let alpha = create(&*store, 1, "alpha").await;
    let better = suggestion(1, 1, "better", Some(alpha.head));
    let worse = suggestion(2, 1, "worse", Some(alpha.head));
    let suggested = [Change::Propose(better.clone()), Change::Propose(worse)];
    let committed = commit(&*store, suggested).await.unwrap();
    assert_eq!(committed.position, LogPosition(3));
    assert_eq!(store.item(OWNER, id(1)).await.unwrap(), Some(alpha));

    let found = store.proposal(OWNER, better.id).await.unwrap();
    assert_eq!(found, Some(better.at(Timestamp(1_000))));
    let (_, file) = better.draft.bundle.files().next().unwrap();
    let kept = store.content(OWNER, file.digest()).await.unwrap();
    assert_eq!(kept.as_deref(), Some(&b"better"[..]));
    assert_eq!(
        states(&*store, Some(Pending)).await,
        [(2, Pending), (1, Pending)]
    );

    let accept = [Change::Revise(better.draft.clone()), decide(1, true)];
    commit(&*store, accept).await.unwrap();
    commit(&*store, [decide(2, false)]).await.unwrap();
    assert_eq!(states(&*store, Some(Pending)).await, []);
    assert_eq!(states(&*store, Some(Accepted)).await, [(1, Accepted)]);
    assert_eq!(states(&*store, None).await, [(2, Rejected), (1, Accepted)]);
    assert_eq!(store.proposals(OWNER, None, 1).await.unwrap().len(), 1);
    let now = store.item(OWNER, id(1)).await.unwrap().unwrap();
    assert_eq!(now.description, "alpha: better");
    let expected = [
        Act::ItemCreated,
        Act::Proposed,
        Act::Proposed,
        Act::ItemChanged,
        Act::ProposalAccepted,
        Act::ProposalRejected,
    ];
    assert_eq!(acts(&*store).await, expected);
}

pub(crate) async fn a_proposal_is_decided_once(store: Arc<dyn Store>) {
    create(&*store, 1, "alpha").await;
    let unknown = commit(&*store, [decide(1, true)]).await;
    assert!(matches!(unknown, Err(CommitError::UnknownProposal(_))));
    let new = suggestion(1, 2, "new", None);
    let suggested = Batch {
        at: Timestamp(2_000),
        ..batch([Change::Propose(new)])
    };
    let position = store.commit(OWNER, suggested, BTreeMap::new()).await;
    assert_eq!(position.unwrap().position, LogPosition(2));
    let mut deciders = tokio::task::JoinSet::new();
    for number in 0..8 {
        let store = Arc::clone(&store);
        deciders.spawn(async move {
            let decided = commit(&*store, [decide(1, number % 2 == 0)]).await;
            match decided {
                Ok(_) => true,
                Err(CommitError::Decided { .. }) => false,
                Err(other) => panic!("{other}"),
            }
        });
    }
    let won = deciders.join_all().await.into_iter().filter(|won| *won);
    assert_eq!(won.count(), 1);
    assert_eq!(store.position(OWNER).await.unwrap(), LogPosition(3));
    assert_eq!(states(&*store, Some(ProposalState::Pending)).await, []);
}

/// One call over HTTP, by this key and client at this minute.
fn heard(number: u128, key: u128, client: Option<&str>, minute: i64) -> SessionRecord {
    SessionRecord {
        client_name: client.map(str::to_owned),
        key: Some(KeyId(Uuid::from_u128(key))),
        transport: "http".to_owned(),
        started_at: Timestamp(minute * 60_000),
        calls: 1,
        ..session(number, minute * 60_000)
    }
}

/// The sessions as `id calls`, latest heard first.
async fn calls(store: &dyn Store) -> Vec<(u128, u64)> {
    let sessions = store.sessions(OWNER, 99).await.unwrap();
    sessions
        .iter()
        .map(|session| (session.id.0.as_u128(), session.calls))
        .collect()
}

pub(crate) async fn requests_of_one_key_and_client_are_one_session(store: Arc<dyn Store>) {
    create(&*store, 1, "alpha").await;
    let hear = |session| change(&*store, [LocalChange::Heard(HeardSession { session })]);
    hear(heard(1, 1, Some("a"), 0)).await;
    hear(heard(2, 1, Some("a"), 30)).await;
    assert_eq!(calls(&*store).await, [(1, 2)], "half an hour is no pause");
    hear(heard(3, 2, Some("a"), 31)).await;
    hear(heard(4, 1, Some("b"), 32)).await;
    assert_eq!(calls(&*store).await, [(4, 1), (3, 1), (1, 2)]);
    hear(heard(5, 1, None, 33)).await;
    assert_eq!(
        calls(&*store).await,
        [(4, 2), (3, 1), (1, 2)],
        "the latest of the key"
    );
    hear(heard(6, 1, Some("a"), 61)).await;
    assert_eq!(
        calls(&*store).await[0],
        (6, 1),
        "half an hour and a minute is one"
    );
}

pub(crate) async fn requests_at_once_are_one_session(store: Arc<dyn Store>) {
    create(&*store, 1, "alpha").await;
    let mut writers = tokio::task::JoinSet::new();
    for number in 0..8 {
        let store = Arc::clone(&store);
        let session = heard(number, 1, Some("a"), 5);
        writers.spawn(async move {
            change(&*store, [LocalChange::Heard(HeardSession { session })]).await;
        });
    }
    writers.join_all().await;
    let calls = calls(&*store).await;
    assert_eq!((calls.len(), calls[0].1), (1, 8));
}
