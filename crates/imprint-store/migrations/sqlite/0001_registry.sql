-- The registry: the record log, what is kept apart from it, and the tables that are its projection.
-- Identities and digests are their bytes; times are milliseconds since 1970.

-- What this file knows of itself, under the nil owner.
CREATE TABLE meta (
    owner BLOB NOT NULL,
    key TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (owner, key)
) WITHOUT ROWID, STRICT;

-- The log. `position` counts an owner's records from 1, in the order in which this file got them.
CREATE TABLE records (
    owner BLOB NOT NULL,
    position INTEGER NOT NULL,
    device BLOB NOT NULL,
    seq INTEGER NOT NULL,
    at INTEGER NOT NULL,
    event TEXT NOT NULL,
    UNIQUE (owner, position),
    UNIQUE (owner, device, seq)
) STRICT;

-- Files' contents, once each. A purge deletes here and nowhere else.
CREATE TABLE contents (
    owner BLOB NOT NULL,
    digest BLOB NOT NULL,
    bytes BLOB NOT NULL,
    UNIQUE (owner, digest)
) STRICT;

-- Where in the log a revision lies: the record holds the whole of it.
CREATE TABLE revisions (
    owner BLOB NOT NULL,
    id BLOB NOT NULL,
    item BLOB NOT NULL,
    position INTEGER NOT NULL,
    PRIMARY KEY (owner, id),
    FOREIGN KEY (owner, position) REFERENCES records (owner, position)
) WITHOUT ROWID, STRICT;

CREATE UNIQUE INDEX revisions_of_item ON revisions (owner, item, position);

-- Items as they stand after the log's last record, and `loads`, which no record tells.
--
-- Lists read all of an owner's items, so these lie together, without a row id between. `facts` is
-- what is only ever read with the whole item, in fixed width (src/sqlite/facts.rs): seven columns
-- instead of thirteen halve the time of a list.
CREATE TABLE items (
    owner BLOB NOT NULL,
    id BLOB NOT NULL,
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    state TEXT NOT NULL,
    description TEXT NOT NULL,
    facts BLOB NOT NULL,
    loads INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (owner, id)
) WITHOUT ROWID, STRICT;

CREATE INDEX items_by_name ON items (owner, name);

-- The commit rules see to this; the database would refuse a program that breaks them.
CREATE UNIQUE INDEX items_unremoved_names ON items (owner, kind, name) WHERE state <> 'removed';

CREATE TABLE acceptances (
    owner BLOB NOT NULL,
    fingerprint BLOB NOT NULL,
    rule TEXT NOT NULL,
    reason TEXT NOT NULL,
    PRIMARY KEY (owner, fingerprint)
) WITHOUT ROWID, STRICT;

-- Clients that connected to this machine: in no record.
CREATE TABLE sessions (
    owner BLOB NOT NULL,
    id BLOB NOT NULL,
    client_name TEXT,
    client_version TEXT,
    named_client TEXT,
    protocol TEXT NOT NULL,
    transport TEXT NOT NULL,
    started_at INTEGER NOT NULL,
    seen_at INTEGER NOT NULL,
    calls INTEGER NOT NULL,
    PRIMARY KEY (owner, id)
) WITHOUT ROWID, STRICT;

CREATE INDEX sessions_by_seen ON sessions (owner, seen_at, id);
