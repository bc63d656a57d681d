//! The secret of a key: 256 random bits, shown once, kept as a digest.
//!
//! A plain SHA-256 is enough here. Slow digests (Argon2, bcrypt) protect what people choose, because
//! it can be guessed; nobody guesses 256 random bits, and a slow digest would cost every request.

use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

use crate::domain::hex;

const MARK: &str = "wgw_";
const ID_BYTES: usize = 4;
const SECRET_BYTES: usize = 32;

/// A whole key as its owner sends it: `wgw_<id>_<secret>`. It does not print itself.
#[derive(Clone)]
pub struct Secret {
    text: String,
    id: String,
}

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Secret({MARK}{}_…)", self.id)
    }
}

impl Secret {
    /// A new one from the operating system's random numbers.
    ///
    /// # Errors
    /// The operating system has none.
    pub fn random() -> Result<Self, getrandom::Error> {
        let (mut id, mut secret) = ([0; ID_BYTES], [0; SECRET_BYTES]);
        getrandom::fill(&mut id)?;
        getrandom::fill(&mut secret)?;
        let id = hex(&id);
        Ok(Self { text: format!("{MARK}{id}_{}", hex(&secret)), id })
    }

    /// Reads what a caller sent; `None` where it can not be a key.
    pub fn read(sent: &str) -> Option<Self> {
        let (id, secret) = sent.strip_prefix(MARK)?.split_once('_')?;
        let is_hex = |text: &str, bytes: usize| {
            text.len() == bytes * 2 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
        };
        (is_hex(id, ID_BYTES) && is_hex(secret, SECRET_BYTES))
            .then(|| Self { text: sent.to_owned(), id: id.to_owned() })
    }

    /// Which key it belongs to; no secret.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// What is kept of it, in hex.
    pub fn digest(&self) -> String {
        hex(&Sha256::digest(self.text.as_bytes()))
    }

    /// Whether it is the one that `digest` was made of; takes the same time for every wrong one.
    pub fn fits(&self, digest: &str) -> bool {
        self.digest().as_bytes().ct_eq(digest.as_bytes()).into()
    }

    /// The text, to be shown to its owner once.
    pub fn reveal(&self) -> &str {
        &self.text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_fits_its_own_digest_and_no_other() {
        let (one, other) = (Secret::random().expect("random"), Secret::random().expect("random"));
        assert!(one.fits(&one.digest()) && !one.fits(&other.digest()) && !one.fits(""));
        let read = Secret::read(one.reveal()).expect("its own form");
        assert!(read.fits(&one.digest()) && read.id() == one.id());
    }

    #[test]
    fn a_secret_does_not_print_itself() {
        let secret = Secret::random().expect("random");
        assert_eq!(format!("{secret:?}"), format!("Secret(wgw_{}_…)", secret.id()));
    }

    #[test]
    fn what_is_no_key_is_not_read() {
        let good = Secret::random().expect("random");
        let good = good.reveal();
        for bad in ["", "wgw_", "sk-123", &good[..good.len() - 1], &format!("{good}0"), "wgw_ä_ö"]
        {
            assert!(Secret::read(bad).is_none(), "{bad}");
        }
        assert!(Secret::read(&good.replace("wgw_", "WGW_")).is_none());
    }
}
