//! Which sections may be found at all: decided before the search, never after it.

/// A set of section ordinals (positions in the index's sorted section list).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Allowed {
    bits: Vec<u64>,
    count: usize,
}

impl Allowed {
    /// The ordinals for which `keep` holds, out of `0..total`.
    pub fn among(total: usize, mut keep: impl FnMut(u32) -> bool) -> Self {
        let mut bits = vec![0_u64; total.div_ceil(64)];
        let mut count = 0;
        for ordinal in 0..total {
            if keep(ordinal as u32) {
                bits[ordinal / 64] |= 1 << (ordinal % 64);
                count += 1;
            }
        }
        Self { bits, count }
    }

    /// Whether the section may be found.
    pub fn contains(&self, ordinal: u32) -> bool {
        let at = ordinal as usize;
        self.bits.get(at / 64).is_some_and(|word| word >> (at % 64) & 1 == 1)
    }

    /// How many sections may be found.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The ordinals, ascending.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.bits.len() as u32 * 64).filter(|ordinal| self.contains(*ordinal))
    }
}
