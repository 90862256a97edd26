//! What Imprint is tested with: the case driver, the real binary over MCP, a seeded home, the
//! benchmarks. Ships with nothing.

pub mod bench;
pub mod cases;
mod clock;
pub mod conformance;
pub mod homes;
pub mod process;
mod product;
mod sandbox;
mod seed;
pub mod serving;
mod session;
pub mod soak;
pub mod tree;
pub mod wire;

pub use clock::{FixedClock, SystemClock};
pub use product::{Product, peak_memory_kib};
pub use sandbox::Sandbox;
pub use seed::{SeedError, SeedSkill, plant};
pub use serving::Serving;
pub use session::{McpSession, SessionError, ToolAnswer};
