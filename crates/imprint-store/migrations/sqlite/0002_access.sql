-- Who may ask over HTTP, what they did, and what agents suggest.

-- Keys: everything but the keys themselves. `scopes`, `fence` and `projects` are JSON.
CREATE TABLE keys (
    owner BLOB NOT NULL,
    id BLOB NOT NULL,
    name TEXT NOT NULL,
    digest BLOB NOT NULL,
    shown_start TEXT NOT NULL,
    shown_end TEXT NOT NULL,
    scopes TEXT NOT NULL,
    fence TEXT NOT NULL,
    projects TEXT NOT NULL,
    client TEXT,
    made_by TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER,
    last_used_at INTEGER,
    last_client TEXT,
    revoked_at INTEGER,
    replaces BLOB,
    PRIMARY KEY (owner, id)
) WITHOUT ROWID, STRICT;

CREATE UNIQUE INDEX keys_by_digest ON keys (owner, digest);

-- The audit: `row` is JSON, `hash` covers it and the hash before.
CREATE TABLE audit (
    owner BLOB NOT NULL,
    seq INTEGER NOT NULL,
    row TEXT NOT NULL,
    hash BLOB NOT NULL,
    PRIMARY KEY (owner, seq)
) STRICT;

-- Where in the log a suggestion lies, and what the user said to it.
CREATE TABLE proposals (
    owner BLOB NOT NULL,
    id BLOB NOT NULL,
    position INTEGER NOT NULL,
    state TEXT NOT NULL,
    PRIMARY KEY (owner, id),
    FOREIGN KEY (owner, position) REFERENCES records (owner, position)
) WITHOUT ROWID, STRICT;

CREATE INDEX proposals_by_state ON proposals (owner, state, position);

-- What a session came with.
ALTER TABLE sessions ADD COLUMN key BLOB;
ALTER TABLE sessions ADD COLUMN grant_id BLOB;

-- OAuth: `body` is JSON; a column beside it that says the same goes before it.
CREATE TABLE oauth_clients (
    owner BLOB NOT NULL,
    id TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    used_at INTEGER,
    body TEXT NOT NULL,
    PRIMARY KEY (owner, id)
) WITHOUT ROWID, STRICT;

CREATE TABLE oauth_requests (
    owner BLOB NOT NULL,
    id BLOB NOT NULL,
    version INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (owner, id)
) WITHOUT ROWID, STRICT;

CREATE TABLE oauth_grants (
    owner BLOB NOT NULL,
    id BLOB NOT NULL,
    created_at INTEGER NOT NULL,
    last_used_at INTEGER,
    revoked_at INTEGER,
    body TEXT NOT NULL,
    PRIMARY KEY (owner, id)
) WITHOUT ROWID, STRICT;

-- From `gone_at` on nobody needs the row.
CREATE TABLE oauth_tokens (
    owner BLOB NOT NULL,
    digest BLOB NOT NULL,
    spent_at INTEGER,
    gone_at INTEGER NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (owner, digest)
) WITHOUT ROWID, STRICT;

CREATE INDEX oauth_tokens_by_end ON oauth_tokens (owner, gone_at);
