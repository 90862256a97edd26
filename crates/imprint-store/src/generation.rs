//! Whether anything was committed, asked without reading anything.

/// What a store's answers may depend on, as a number: two equal ones have nothing committed
/// between them, by any process. Means nothing outside the store that told it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Generation {
    /// Changes when another file, or none, is where the store's was.
    pub(crate) file: u64,
    /// Changes with every commit and with the file.
    pub(crate) change: u64,
}

/// A store that knows its generation.
pub trait Generations {
    /// The generation now, in microseconds and without waiting for anyone; `None` when it can't be
    /// told just now, so that only asking the store helps. Asking the store also mends that, where
    /// it can be mended.
    fn generation(&self) -> Option<Generation>;
}
