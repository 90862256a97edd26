//! Examples for the help pages, each of which runs as it stands. Those of `skills` stand for `personas` too.

pub(super) const START: &str = "\
Imprint keeps them on this machine, with every version, and makes each reach every AI client that
you use: through the folders that clients read, and over MCP.

Start here:
  imprint setup                    everything that your clients have, once, in all of them
  imprint demo                     see the whole idea in a throw-away home
  imprint import ~/.claude         take in the skills and personas that you have
  imprint serve                    keep the folders of your clients current
  imprint help COMMAND             what a command does, with examples

A client that speaks MCP starts `imprint mcp` itself: `imprint mcp --help` shows its settings.

Exit codes: 0 done, 1 refused or failed, 2 wrong arguments, 4 not found, 5 conflict";

pub(super) const SETUP: &str = "\
Examples:
  imprint setup                          show what would be done, and ask
  imprint setup --dry-run --verbose      only show it, every item by name
  imprint setup --prefer codex           where contents differ, take those of Codex
  imprint setup --client claude-code     look after Claude Code alone
  imprint setup --undo                   put everything back

Nothing is deleted: what a client would list twice moves into `backups` in the home, and contents
that are not chosen stay as earlier revisions. Run again, it does only what is new.";

pub(super) const SKILLS: &str = "\
Examples:
  imprint skills list
  imprint skills create tidy-json --description \"Formats JSON. Use when …\" --from notes.md
  imprint skills edit tidy-json            (opens $EDITOR)
  imprint skills diff tidy-json ~2
  imprint skills restore tidy-json --revision ~1";

pub(super) const PERSONAS: &str = "\
Examples:
  imprint personas create plan-reader --description \"Reads plans\" --instructions \"You read …\"
  imprint personas list --json";

pub(super) const GUIDELINES: &str = "\
Examples:
  imprint guidelines add \"Answer in metric units.\"
  imprint guidelines edit answer-in-metric-units";

pub(super) const IMPORT: &str = "\
Examples:
  imprint import ~/.claude                              skills and personas of Claude Code
  imprint import skills.zip --dry-run                   show what is in it, keep nothing
  imprint import a/ b/ --yes --on-collision keep-both

What is taken in from a folder in which clients look is kept current there from then on; what is
mended in it (a header that is not valid YAML) is first put aside in `originals` in the home.";

pub(super) const ADOPT: &str = "\
Examples:
  imprint adopt                        show each, with what differs, and ask
  imprint adopt tidy-json              only what is under this name
  imprint adopt ~/.claude/skills/tea   only what stands there
  imprint adopt --yes                  all of it, for scripts
  imprint adopt --dry-run              only look

An edited copy becomes the newest revision of its item, and the other copies follow; what was there
before stays in its history. A copy of yours that breaks the rules is told and left as it is.";

pub(super) const CONNECT: &str = "\
Examples:
  imprint connect claude-code
  imprint connect --all --dry-run                   show what would change, write nothing
  imprint connect cursor vs-code --scope project    in the project that you are in
  imprint connect claude-ai --public-url https://imprint.example.com   say what to enter there

Everything else in the files stays as it is, and their old text is kept in `backups` in the home.
Where a client has a command of its own for this (`claude mcp add`), it writes the same file.";

pub(super) const DISCONNECT: &str = "\
Examples:
  imprint disconnect cursor
  imprint disconnect --all --dry-run   show what would change, write nothing

A file that nobody else changed since has its first bytes again; from any other the entry alone is
taken out.";

pub(super) const WRITE: &str = "\
Examples:
  imprint write             and show who reads what from where
  imprint write --dry-run   only show what would change
  imprint write --verbose   with all that personas lose in some clients";

pub(super) const CLIENTS: &str = "\
Examples:
  imprint clients
  imprint clients claude-code                     all of it, and how each fact is known
  imprint clients claude-code --more-room -n      the setting by which it shows more descriptions";

pub(super) const DOCTOR: &str = "\
Examples:
  imprint doctor
  imprint doctor codex cursor

Exit code 0: all is well; 1: something is to be mended. Of the commands in clients' settings it
starts none but this very program, and only with the arguments that `imprint connect` writes.";

pub(super) const SESSIONS: &str = "\
Example:
  imprint sessions --limit 5";

pub(super) const SERVE: &str = "\
Examples:
  imprint serve                            on 127.0.0.1:4750, until Ctrl-C
  imprint serve --listen 127.0.0.1:0       on a free port
  imprint serve --public-url https://imprint.example
  imprint serve --read-only --toolsets core

A client comes with a key (`imprint keys create`) to http://127.0.0.1:4750/mcp";

pub(super) const SERVICE: &str = "\
Examples:
  imprint service install
  imprint service status
  imprint service uninstall";

pub(super) const SERVICE_INSTALL: &str = "\
Examples:
  imprint service install                    on 127.0.0.1:4750
  imprint service install --dry-run          only show what would be installed
  imprint service install --listen 127.0.0.1:4800 --read-only

It runs as you, through systemd, launchd or the Windows Task Scheduler. Install it again with other
options to change them, or when this program has moved.";

pub(super) const PROPOSALS: &str = "\
Examples:
  imprint skills proposals                  what waits for you
  imprint skills proposals show 7f3a91      as a diff
  imprint skills proposals accept 7f3a91
  imprint skills proposals reject 7f3a91";

pub(super) const PROPOSALS_SHOW: &str = "\
Example:
  imprint skills proposals show 7f3a91";

pub(super) const PROPOSALS_ACCEPT: &str = "\
Examples:
  imprint skills proposals accept 7f3a91
  imprint skills proposals accept 7f3a91 --yes";

pub(super) const PROPOSALS_REJECT: &str = "\
Example:
  imprint skills proposals reject 7f3a91";

pub(super) const PROVISION: &str = "\
Examples:
  imprint provision --to ./agent-files
  imprint provision --tar bundle.tar.gz --tag team
  imprint provision --tar - | ssh worker tar -xz

A key's own items come from the server: GET /api/v1/bundle.tar.gz";

pub(super) const AUDIT: &str = "\
Examples:
  imprint audit
  imprint audit --key laptop --since 7d
  imprint audit --item deploy --json
  imprint audit --export audit.jsonl
  imprint audit --verify

There are no contents and no keys in it. Each row holds on to the one before, so that a gap shows";

pub(super) const KEYS: &str = "\
Examples:
  imprint keys create --name \"Claude.ai\" --preset agent
  imprint keys list
  imprint keys revoke \"Claude.ai\"";

pub(super) const KEYS_CREATE: &str = "\
Examples:
  imprint keys create --name laptop --preset agent
  imprint keys create --name ci --scopes skills:read --items deploy,review --expires 90d
  imprint keys create --name team --preset read --tag team

Scopes: skills:read, skills:propose, skills:write, personas:read, personas:propose, personas:write,
guidelines:read, guidelines:propose, guidelines:write, memory:read, memory:write, profile:read,
profile:feedback, profile:write, admin. Without scopes you are asked; a script gets `read`.
With `propose`, changes wait for you: `imprint skills proposals`";

pub(super) const KEYS_LIST: &str = "\
Examples:
  imprint keys list
  imprint keys list --all --json";

pub(super) const KEYS_REVOKE: &str = "\
Examples:
  imprint keys revoke laptop
  imprint keys revoke sak_4fGh --yes";

pub(super) const KEYS_ROTATE: &str = "\
Examples:
  imprint keys rotate laptop
  imprint keys rotate ci --overlap 0s";

pub(super) const KEYS_RENAME: &str = "\
Example:
  imprint keys rename laptop \"work laptop\"";

pub(super) const OAUTH: &str = "\
Examples:
  imprint oauth approve KXQ7-2MPD
  imprint oauth list
  imprint oauth revoke Claude

Clients that take no key ask in your browser instead, once `imprint serve` has a `--public-url`.";

pub(super) const OAUTH_APPROVE: &str = "\
Examples:
  imprint oauth approve KXQ7-2MPD
  imprint oauth approve KXQ7-2MPD --scopes skills:write,memory:read --yes

Approve only what you have just begun yourself. A request ends five minutes after it began.";

pub(super) const OAUTH_REQUESTS: &str = "\
Examples:
  imprint oauth requests
  imprint oauth requests --json";

pub(super) const OAUTH_LIST: &str = "\
Examples:
  imprint oauth list
  imprint oauth list --all --json";

pub(super) const OAUTH_REVOKE: &str = "\
Examples:
  imprint oauth revoke Claude
  imprint oauth revoke 5d1f0c --yes";

pub(super) const DEMO: &str = "\
Examples:
  imprint demo
  imprint demo --keep   leave the home for a look";

pub(super) const MCP: &str = "\
In a client's settings:
  {\"mcpServers\": {\"imprint\": {\"command\": \"imprint\", \"args\": [\"mcp\"]}}}

Or with the client's own command:
  claude mcp add imprint -- imprint mcp
  codex mcp add imprint -- imprint mcp";

pub(super) const COMPLETIONS: &str = "\
Examples:
  imprint completions bash > ~/.local/share/bash-completion/completions/imprint
  imprint completions zsh > \"${fpath[1]}/_imprint\"
  imprint completions fish > ~/.config/fish/completions/imprint.fish";

pub(super) const LIST: &str = "\
Examples:
  imprint skills list
  imprint skills list --all                  removed ones too
  imprint skills list --query \"read a pdf\"   best match first";

pub(super) const SHOW: &str = "\
Examples:
  imprint skills show tidy-json
  imprint skills show tidy-json --revision ~1   as it was before";

pub(super) const CREATE: &str = "\
Examples:
  imprint skills create tidy-json -d \"Formats JSON. Use when …\" -i \"Run …\"
  imprint skills create tidy-json -d \"Formats JSON. Use when …\" --from notes.md
  imprint skills create tidy-json --from ~/skills/json                            a folder with all its files";

pub(super) const EDIT: &str = "\
Examples:
  imprint skills edit tidy-json                                            in your editor
  imprint skills edit tidy-json -d \"Formats and checks JSON. Use when …\"
  pandoc notes.docx -t markdown | imprint skills edit tidy-json --from -";

pub(super) const FILES: &str = "\
Examples:
  imprint skills files tidy-json
  imprint skills files tidy-json --print scripts/tidy.py
  imprint skills files tidy-json --add tidy.py=scripts/tidy.py --remove old.py";

pub(super) const ENABLE: &str = "\
Example:
  imprint skills enable tidy-json";

pub(super) const DISABLE: &str = "\
Example:
  imprint skills disable tidy-json";

pub(super) const REMOVE: &str = "\
Examples:
  imprint skills remove tidy-json
  imprint skills remove tidy-json old-one --yes";

pub(super) const RESTORE: &str = "\
Examples:
  imprint skills restore tidy-json                 bring it back
  imprint skills restore tidy-json --revision ~1   go back to the revision before";

pub(super) const HISTORY: &str = "\
Example:
  imprint skills history tidy-json";

pub(super) const DIFF: &str = "\
Examples:
  imprint skills diff tidy-json                 what the last change did
  imprint skills diff tidy-json ~3              what the last three did
  imprint skills diff tidy-json 4f1d2c 9ab301";

pub(super) const RENAME: &str = "\
Example:
  imprint skills rename tidy-json json";

pub(super) const PIN: &str = "\
Examples:
  imprint skills pin tidy-json
  imprint skills pin tidy-json --off";

pub(super) const VALIDATE: &str = "\
Examples:
  imprint skills validate              all that is kept
  imprint skills validate ./my-skill   a folder, before it is taken in";

pub(super) const EXPORT: &str = "\
Examples:
  imprint skills export tidy-json --to ~/share
  imprint skills export --to ~/backup/skills --force   all of them";

pub(super) const GUIDELINES_LIST: &str = "\
Example:
  imprint guidelines list";

pub(super) const GUIDELINES_SHOW: &str = "\
Example:
  imprint guidelines show answer-in-metric-units";

pub(super) const GUIDELINES_ADD: &str = "\
Examples:
  imprint guidelines add \"Answer in metric units.\"
  imprint guidelines add - --name house-style < style.md";

pub(super) const GUIDELINES_EDIT: &str = "\
Examples:
  imprint guidelines edit answer-in-metric-units                                     in your editor
  imprint guidelines edit answer-in-metric-units \"Answer in metric units, always.\"";

pub(super) const GUIDELINES_ENABLE: &str = "\
Example:
  imprint guidelines enable answer-in-metric-units";

pub(super) const GUIDELINES_DISABLE: &str = "\
Example:
  imprint guidelines disable answer-in-metric-units";

pub(super) const GUIDELINES_REMOVE: &str = "\
Example:
  imprint guidelines remove answer-in-metric-units";

pub(super) const GUIDELINES_RESTORE: &str = "\
Examples:
  imprint guidelines restore answer-in-metric-units                 bring it back
  imprint guidelines restore answer-in-metric-units --revision ~1   go back to the revision before";

pub(super) const GUIDELINES_HISTORY: &str = "\
Example:
  imprint guidelines history answer-in-metric-units";

pub(super) const GUIDELINES_DIFF: &str = "\
Example:
  imprint guidelines diff answer-in-metric-units";

pub(super) const GUIDELINES_RENAME: &str = "\
Example:
  imprint guidelines rename answer-in-metric-units units";

pub(super) const CONFIG: &str = "\
Examples:
  imprint config list
  imprint config set folders.skip cursor,qwen-code";

pub(super) const CONFIG_LIST: &str = "\
Example:
  imprint config list";

pub(super) const CONFIG_GET: &str = "\
Example:
  imprint config get folders.skip";

pub(super) const CONFIG_SET: &str = "\
Examples:
  imprint config set editor \"code --wait\"
  imprint config set folders.skip cursor,qwen-code";

pub(super) const CONFIG_UNSET: &str = "\
Example:
  imprint config unset folders.skip";

pub(super) const CONFIG_PATH: &str = "\
Example:
  cp -a \"$(imprint config path)\" ~/backup";
