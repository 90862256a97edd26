//! Hard limits on what is read and kept. All sizes are bytes unless a name says otherwise.

/// The largest text file that is read or kept: 1 MiB.
pub const TEXT_FILE_BYTES: usize = 1024 * 1024;
/// The most bytes that one item may hold: 10 MiB.
pub const ITEM_BYTES: usize = 10 * 1024 * 1024;
/// The most files that one item may hold.
pub const ITEM_FILES: usize = 512;
/// The largest front matter that is parsed: 64 KiB.
pub const FRONT_MATTER_BYTES: usize = 64 * 1024;
/// The longest name, in characters (Agent Skills specification).
pub const NAME_CHARS: usize = 64;
/// The longest description, in Unicode code points (Agent Skills specification).
pub const DESCRIPTION_CHARS: usize = 1024;
/// The longest `compatibility` value, in Unicode code points (Agent Skills specification).
pub const COMPATIBILITY_CHARS: usize = 500;
/// How many aliases one front matter may expand.
pub const YAML_ALIASES: usize = 20;
/// How deep front matter may nest.
pub const YAML_DEPTH: usize = 64;
/// The longest path inside an item, in bytes.
pub const PATH_BYTES: usize = 512;
/// The longest single component of a path inside an item, in bytes (common file systems' limit).
pub const PATH_COMPONENT_BYTES: usize = 255;
/// The most components of a path inside an item.
pub const PATH_DEPTH: usize = 16;
