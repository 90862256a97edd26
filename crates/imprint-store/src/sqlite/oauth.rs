//! OAuth's clients, requests, grants and tokens.

use async_trait::async_trait;
use imprint_core::{
    GrantId, OwnerId, StoreError, Timestamp, TokenDigest,
    oauth::{
        AuthorizationRequest, ClientId, OauthChange, OauthClient, OauthFacts, OauthGrant,
        OauthNeeds, OauthStore, OauthToken, RequestId, UNUSED_CLIENT_MS,
    },
};
use rusqlite::{Connection, OptionalExtension as _, Row, params};

use super::{
    SqliteStore,
    fault::Fault,
    read::{all, one},
    rows::{json, parsed},
};

/// What [`imprint_core::commit::plan`] must know of requests and tokens.
pub(super) fn facts(
    conn: &Connection,
    owner: OwnerId,
    needs: &OauthNeeds,
) -> Result<OauthFacts, Fault> {
    let mut facts = OauthFacts::default();
    for id in &needs.requests {
        let version = conn
            .prepare_cached("SELECT version FROM oauth_requests WHERE owner = ?1 AND id = ?2")?
            .query_row(params![owner.0.as_bytes(), id.to_bytes()], |row| row.get(0))
            .optional()?;
        facts.requests.extend(version.map(|version| (*id, version)));
    }
    for digest in &needs.tokens {
        let is_unspent = conn
            .prepare_cached(
                "SELECT 1 FROM oauth_tokens WHERE owner = ?1 AND digest = ?2 AND spent_at IS NULL",
            )?
            .exists(params![owner.0.as_bytes(), digest.as_bytes()])?;
        facts.unspent.extend(is_unspent.then_some(*digest));
    }
    Ok(facts)
}

pub(super) fn write(conn: &Connection, owner: OwnerId, change: &OauthChange) -> Result<(), Fault> {
    match change {
        OauthChange::Client(client) => put_client(conn, owner, client),
        OauthChange::Request(request) => put_request(conn, owner, request),
        OauthChange::Granted(grant) => insert_grant(conn, owner, grant),
        OauthChange::GrantUsed { grant, at } => stamp(
            conn,
            "UPDATE oauth_grants SET last_used_at = max(coalesce(last_used_at, ?3), ?3)
             WHERE owner = ?1 AND id = ?2",
            owner,
            grant.0.as_bytes(),
            *at,
        ),
        OauthChange::GrantRevoked { grant, at, .. } => stamp(
            conn,
            "UPDATE oauth_grants SET revoked_at = coalesce(revoked_at, ?3)
             WHERE owner = ?1 AND id = ?2",
            owner,
            grant.0.as_bytes(),
            *at,
        ),
        OauthChange::Token(token) => insert_token(conn, owner, token),
        OauthChange::Spend { token, at } => stamp(
            conn,
            "UPDATE oauth_tokens SET spent_at = coalesce(spent_at, ?3)
             WHERE owner = ?1 AND digest = ?2",
            owner,
            token.as_bytes(),
            *at,
        ),
        OauthChange::Swept { at } => sweep(conn, owner, *at),
    }
}

fn put_client(conn: &Connection, owner: OwnerId, client: &OauthClient) -> Result<(), Fault> {
    conn.prepare_cached(
        "INSERT OR REPLACE INTO oauth_clients (owner, id, created_at, used_at, body)
         VALUES (?1, ?2, ?3, ?4, ?5)",
    )?
    .execute(params![
        owner.0.as_bytes(),
        client.id.to_string(),
        client.created_at.0,
        client.used_at.map(|at| at.0),
        json(client)?,
    ])?;
    Ok(())
}

fn put_request(
    conn: &Connection,
    owner: OwnerId,
    request: &AuthorizationRequest,
) -> Result<(), Fault> {
    conn.prepare_cached(
        "INSERT OR REPLACE INTO oauth_requests (owner, id, version, created_at, expires_at, body)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
    )?
    .execute(params![
        owner.0.as_bytes(),
        request.id.to_bytes(),
        request.version,
        request.created_at.0,
        request.expires_at.0,
        json(request)?,
    ])?;
    Ok(())
}

fn insert_grant(conn: &Connection, owner: OwnerId, grant: &OauthGrant) -> Result<(), Fault> {
    conn.prepare_cached(
        "INSERT INTO oauth_grants (owner, id, created_at, last_used_at, revoked_at, body)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
    )?
    .execute(params![
        owner.0.as_bytes(),
        grant.id.0.as_bytes(),
        grant.created_at.0,
        grant.last_used_at.map(|at| at.0),
        grant.revoked_at.map(|at| at.0),
        json(grant)?,
    ])?;
    Ok(())
}

fn insert_token(conn: &Connection, owner: OwnerId, token: &OauthToken) -> Result<(), Fault> {
    conn.prepare_cached(
        "INSERT INTO oauth_tokens (owner, digest, spent_at, gone_at, body)
         VALUES (?1, ?2, ?3, ?4, ?5)",
    )?
    .execute(params![
        owner.0.as_bytes(),
        token.digest.as_bytes(),
        token.spent_at.map(|at| at.0),
        token.gone_at().0,
        json(token)?,
    ])?;
    Ok(())
}

fn stamp(
    conn: &Connection,
    sql: &str,
    owner: OwnerId,
    id: &[u8],
    at: Timestamp,
) -> Result<(), Fault> {
    conn.prepare_cached(sql)?
        .execute(params![owner.0.as_bytes(), id, at.0])?;
    Ok(())
}

fn sweep(conn: &Connection, owner: OwnerId, at: Timestamp) -> Result<(), Fault> {
    let delete = |sql: &str, at: i64| -> Result<(), Fault> {
        conn.prepare_cached(sql)?
            .execute(params![owner.0.as_bytes(), at])?;
        Ok(())
    };
    delete(
        "DELETE FROM oauth_clients WHERE owner = ?1 AND used_at IS NULL AND created_at <= ?2",
        at.0 - UNUSED_CLIENT_MS,
    )?;
    delete(
        "DELETE FROM oauth_requests WHERE owner = ?1 AND expires_at <= ?2",
        at.0,
    )?;
    delete(
        "DELETE FROM oauth_tokens WHERE owner = ?1 AND gone_at <= ?2",
        at.0,
    )
}

fn grant(row: &Row<'_>) -> Result<OauthGrant, Fault> {
    let time = |column| -> Result<_, Fault> {
        let at: Option<i64> = row.get(column)?;
        Ok(at.map(Timestamp))
    };
    Ok(OauthGrant {
        last_used_at: time(1)?,
        revoked_at: time(2)?,
        ..parsed(row, 0)?
    })
}

fn token(row: &Row<'_>) -> Result<OauthToken, Fault> {
    let spent_at: Option<i64> = row.get(1)?;
    Ok(OauthToken {
        spent_at: spent_at.map(Timestamp),
        ..parsed(row, 0)?
    })
}

#[async_trait]
impl OauthStore for SqliteStore {
    async fn oauth_client(
        &self,
        owner: OwnerId,
        id: &ClientId,
    ) -> Result<Option<OauthClient>, StoreError> {
        let id = id.to_string();
        self.read(move |conn| {
            one(
                conn,
                "SELECT body FROM oauth_clients WHERE owner = ?1 AND id = ?2",
                params![owner.0.as_bytes(), id],
                |row| parsed(row, 0),
            )
        })
        .await
    }

    async fn oauth_clients_unused(&self, owner: OwnerId) -> Result<u64, StoreError> {
        self.read(move |conn| {
            let count: i64 = conn
                .prepare_cached(
                    "SELECT count(*) FROM oauth_clients WHERE owner = ?1 AND used_at IS NULL",
                )?
                .query_row([owner.0.as_bytes()], |row| row.get(0))?;
            Ok(count.cast_unsigned())
        })
        .await
    }

    async fn oauth_request(
        &self,
        owner: OwnerId,
        id: RequestId,
    ) -> Result<Option<AuthorizationRequest>, StoreError> {
        self.read(move |conn| {
            one(
                conn,
                "SELECT body FROM oauth_requests WHERE owner = ?1 AND id = ?2",
                params![owner.0.as_bytes(), id.to_bytes()],
                |row| parsed(row, 0),
            )
        })
        .await
    }

    async fn oauth_requests(
        &self,
        owner: OwnerId,
    ) -> Result<Vec<AuthorizationRequest>, StoreError> {
        self.read(move |conn| {
            all(
                conn,
                "SELECT body FROM oauth_requests WHERE owner = ?1 ORDER BY created_at, id",
                [owner.0.as_bytes()],
                |row| parsed(row, 0),
            )
        })
        .await
    }

    async fn oauth_grant(
        &self,
        owner: OwnerId,
        id: GrantId,
    ) -> Result<Option<OauthGrant>, StoreError> {
        self.read(move |conn| {
            one(
                conn,
                "SELECT body, last_used_at, revoked_at FROM oauth_grants
                 WHERE owner = ?1 AND id = ?2",
                params![owner.0.as_bytes(), id.0.as_bytes()],
                grant,
            )
        })
        .await
    }

    async fn oauth_grants(&self, owner: OwnerId) -> Result<Vec<OauthGrant>, StoreError> {
        self.read(move |conn| {
            all(
                conn,
                "SELECT body, last_used_at, revoked_at FROM oauth_grants
                 WHERE owner = ?1 ORDER BY created_at, id",
                [owner.0.as_bytes()],
                grant,
            )
        })
        .await
    }

    async fn oauth_token(
        &self,
        owner: OwnerId,
        digest: TokenDigest,
    ) -> Result<Option<OauthToken>, StoreError> {
        self.read(move |conn| {
            one(
                conn,
                "SELECT body, spent_at FROM oauth_tokens WHERE owner = ?1 AND digest = ?2",
                params![owner.0.as_bytes(), digest.as_bytes()],
                token,
            )
        })
        .await
    }
}
