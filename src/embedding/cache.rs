//! Vectors on disk by the digest of their text: only what changed is embedded again.
//!
//! One file for each model, `<model digest>.vectors`: a header, then records of one size (key, numbers,
//! CRC-32) that are only ever appended. A killed build loses at most the record it was writing: a
//! torn tail is cut off at the next open, a damaged record in the middle is embedded again.

use std::collections::HashMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use super::{EmbedError, Embedder, ModelIdentity, Passage};
use crate::domain::Vector;

const MAGIC: &[u8; 8] = b"WWVECT01";
const HEADER: usize = MAGIC.len() + 4;
const KEY: usize = 32;
const CHECKSUM: usize = 4;

/// Why the cache can not be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CacheError {
    /// Another process builds with it.
    #[error("the embedding cache {path} is in use by another process; wait for it or end it")]
    InUse {
        /// Cache file.
        path: PathBuf,
    },
    /// The disk said no.
    #[error("the embedding cache {path} could not be read or written")]
    Io {
        /// Cache file.
        path: PathBuf,
        /// What the system said.
        #[source]
        source: io::Error,
    },
}

/// The vectors that one model made, open for this process alone.
#[derive(Debug)]
pub struct EmbeddingCache {
    path: PathBuf,
    file: File,
    dimension: usize,
    /// Key → position of the numbers in the file; the vectors themselves stay on disk.
    known: HashMap<[u8; KEY], u64>,
    end: u64,
}

impl EmbeddingCache {
    /// Opens or creates the cache of `model` in `folder`.
    ///
    /// A file that is no cache, or of another dimension, is begun anew with a warning.
    ///
    /// # Errors
    /// [`CacheError::InUse`] while another process has it open, [`CacheError::Io`] from the disk.
    pub fn open(folder: &Path, model: &ModelIdentity) -> Result<Self, CacheError> {
        let path = folder.join(format!("{}.vectors", model.digest));
        let io = |source| CacheError::Io { path: path.clone(), source };
        std::fs::create_dir_all(folder).map_err(io)?;
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path)
            .map_err(io)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(CacheError::InUse { path }),
            Err(TryLockError::Error(source)) => return Err(io(source)),
        }
        let dimension = model.dimension;
        let mut cache = Self { path: path.clone(), file, dimension, known: HashMap::new(), end: 0 };
        cache.load().map_err(io)?;
        Ok(cache)
    }

    /// How many vectors are known.
    pub fn len(&self) -> usize {
        self.known.len()
    }

    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    /// Forgets all but the records that were appended last. A kill in between loses vectors, never
    /// mixes them up: each record has its own key and checksum.
    ///
    /// # Errors
    /// [`CacheError::Io`] from the disk.
    pub fn keep_newest(&mut self, count: usize) -> Result<(), CacheError> {
        self.keep_last(count as u64 * self.record() as u64).map_err(|e| self.io(e))
    }

    fn keep_last(&mut self, bytes: u64) -> io::Result<()> {
        let from = self.end.saturating_sub(bytes).max(HEADER as u64);
        let mut kept = Vec::new();
        self.file.seek(SeekFrom::Start(from))?;
        (&self.file).take(self.end - from).read_to_end(&mut kept)?;
        self.file.seek(SeekFrom::Start(HEADER as u64))?;
        self.file.write_all(&kept)?;
        self.file.set_len(HEADER as u64 + kept.len() as u64)?;
        self.known.clear();
        self.file.seek(SeekFrom::Start(0))?;
        self.load()
    }

    /// The vector of a passage, where it is known and still readable.
    ///
    /// # Errors
    /// [`CacheError::Io`] from the disk.
    pub fn get(&mut self, passage: &Passage) -> Result<Option<Vector>, CacheError> {
        let Some(&at) = self.known.get(&passage.digest()) else { return Ok(None) };
        let mut bytes = vec![0; self.dimension * 4];
        self.file
            .seek(SeekFrom::Start(at))
            .and_then(|_| self.file.read_exact(&mut bytes))
            .map_err(|e| self.io(e))?;
        let (numbers, _) = bytes.as_chunks::<4>();
        Ok(Vector::new(numbers.iter().map(|b| f32::from_le_bytes(*b)).collect()).ok())
    }

    /// Appends the vector of a passage. It is safe from a kill of the process at once, from a power
    /// cut after [`EmbeddingCache::embed_all`].
    ///
    /// # Errors
    /// [`CacheError::Io`] from the disk.
    ///
    /// # Panics
    /// When the vector has another dimension than the model.
    pub fn put(&mut self, passage: &Passage, vector: &Vector) -> Result<(), CacheError> {
        assert_eq!(vector.dimension(), self.dimension, "a cache holds vectors of one model");
        let key = passage.digest();
        let mut record = Vec::with_capacity(self.record());
        record.extend_from_slice(&key);
        record.extend(vector.values().iter().flat_map(|value| value.to_le_bytes()));
        record.extend_from_slice(&crc32fast::hash(&record).to_le_bytes());
        let at = self.end;
        // One write: a reader never sees half a record unless the machine stops in it.
        self.file
            .seek(SeekFrom::Start(at))
            .and_then(|_| self.file.write_all(&record))
            .map_err(|e| self.io(e))?;
        self.end += record.len() as u64;
        self.known.insert(key, at + KEY as u64);
        Ok(())
    }

    /// Embeds what is not known yet and keeps each vector as soon as it is there; equal passages are
    /// embedded once. `progress` hears `(done, total)` of what has to be computed. Blocks.
    ///
    /// # Errors
    /// What the embedder says, or [`EmbedError::Cache`].
    ///
    /// # Panics
    /// When an embedder neither fails nor delivers.
    pub fn embed_all(
        &mut self,
        embedder: &dyn Embedder,
        passages: &[Passage],
        progress: &mut dyn FnMut(usize, usize),
    ) -> Result<Vec<Vector>, EmbedError> {
        let mut vectors = Vec::with_capacity(passages.len());
        let mut missing: Vec<Passage> = Vec::new();
        let mut asked: HashMap<[u8; KEY], usize> = HashMap::new();
        for passage in passages {
            let vector = self.get(passage)?;
            if vector.is_none() && !asked.contains_key(&passage.digest()) {
                asked.insert(passage.digest(), missing.len());
                missing.push(passage.clone());
            }
            vectors.push(vector);
        }
        let mut computed: Vec<Option<Vector>> = vec![None; missing.len()];
        let (mut done, mut failure) = (0, None);
        embedder.embed_each(&missing, &mut |at, vector| {
            if let Err(error) = self.put(&missing[at], &vector) {
                failure = Some(error);
                return ControlFlow::Break(());
            }
            computed[at] = Some(vector);
            done += 1;
            progress(done, missing.len());
            ControlFlow::Continue(())
        })?;
        if let Some(error) = failure {
            return Err(error.into());
        }
        self.file.sync_data().map_err(|e| self.io(e))?;
        Ok(vectors
            .into_iter()
            .zip(passages)
            .map(|(known, passage)| {
                known.unwrap_or_else(|| {
                    let at = asked[&passage.digest()];
                    computed[at].clone().expect("embed_each delivers every position or fails")
                })
            })
            .collect())
    }

    fn record(&self) -> usize {
        KEY + self.dimension * 4 + CHECKSUM
    }

    fn io(&self, source: io::Error) -> CacheError {
        CacheError::Io { path: self.path.clone(), source }
    }

    fn load(&mut self) -> io::Result<()> {
        let length = self.file.metadata()?.len();
        let header = header(self.dimension);
        let mut found = [0; HEADER];
        let fits = length >= HEADER as u64 && {
            self.file.read_exact(&mut found)?;
            found == header
        };
        if !fits {
            if length > 0 {
                tracing::warn!(path = %self.path.display(), "embedding cache is damaged and begun anew");
            }
            self.file.set_len(0)?;
            self.file.seek(SeekFrom::Start(0))?;
            self.file.write_all(&header)?;
            self.end = HEADER as u64;
            return Ok(());
        }
        let size = self.record();
        let records = (length - HEADER as u64) / size as u64;
        let mut reader = BufReader::with_capacity(1 << 20, &self.file);
        let mut record = vec![0; size];
        let (mut damaged, mut last_good) = (0_u64, 0_u64);
        for number in 0..records {
            reader.read_exact(&mut record)?;
            let (content, checksum) = record.split_at(size - CHECKSUM);
            if crc32fast::hash(content).to_le_bytes() != checksum {
                damaged += 1;
                continue;
            }
            let key: [u8; KEY] = content[..KEY].try_into().expect("a record begins with its key");
            self.known.insert(key, HEADER as u64 + number * size as u64 + KEY as u64);
            last_good = number + 1;
        }
        if damaged > 0 {
            tracing::warn!(path = %self.path.display(), damaged, "embedding cache has damaged records");
        }
        self.end = HEADER as u64 + last_good * size as u64;
        self.file.set_len(self.end)
    }
}

fn header(dimension: usize) -> [u8; HEADER] {
    let mut header = [0; HEADER];
    header[..MAGIC.len()].copy_from_slice(MAGIC);
    header[MAGIC.len()..].copy_from_slice(&(dimension as u32).to_le_bytes());
    header
}

#[cfg(test)]
mod tests {
    use super::*;

    fn model() -> ModelIdentity {
        ModelIdentity { name: "small".to_owned(), digest: "abc".to_owned(), dimension: 3 }
    }

    fn passage(text: &str) -> Passage {
        Passage::window(text.to_owned())
    }

    fn vector(x: f32) -> Vector {
        Vector::new(vec![x, 1.0, -2.0]).unwrap()
    }

    /// A cache of ten vectors, closed.
    fn filled(folder: &Path) -> PathBuf {
        let mut cache = EmbeddingCache::open(folder, &model()).unwrap();
        for number in 0..10_u8 {
            cache.put(&passage(&number.to_string()), &vector(f32::from(number))).unwrap();
        }
        cache.path
    }

    #[test]
    fn vectors_come_back_bit_for_bit_after_reopening() {
        let folder = tempfile::tempdir().unwrap();
        filled(folder.path());
        let mut cache = EmbeddingCache::open(folder.path(), &model()).unwrap();
        assert_eq!(cache.len(), 10);
        assert_eq!(cache.get(&passage("7")).unwrap(), Some(vector(7.0)));
        assert_eq!(cache.get(&passage("10")).unwrap(), None);
    }

    #[test]
    fn a_torn_tail_is_cut_off_wherever_it_tore() {
        let folder = tempfile::tempdir().unwrap();
        let path = filled(folder.path());
        let whole = std::fs::read(&path).unwrap();
        let record = KEY + 12 + CHECKSUM;
        for lost in 1..=record {
            std::fs::write(&path, &whole[..whole.len() - lost]).unwrap();
            let mut cache = EmbeddingCache::open(folder.path(), &model()).unwrap();
            assert_eq!(cache.len(), 9, "{lost} bytes lost");
            cache.put(&passage("9"), &vector(9.0)).unwrap();
            drop(cache);
            assert_eq!(std::fs::read(&path).unwrap(), whole);
        }
    }

    #[test]
    fn a_damaged_record_costs_only_itself() {
        let folder = tempfile::tempdir().unwrap();
        let path = filled(folder.path());
        let mut bytes = std::fs::read(&path).unwrap();
        bytes[HEADER + 3 * (KEY + 12 + CHECKSUM) + KEY] ^= 1;
        std::fs::write(&path, &bytes).unwrap();
        let mut cache = EmbeddingCache::open(folder.path(), &model()).unwrap();
        assert_eq!(cache.len(), 9);
        assert_eq!(cache.get(&passage("3")).unwrap(), None);
        cache.put(&passage("3"), &vector(3.0)).unwrap();
        drop(cache);
        let mut cache = EmbeddingCache::open(folder.path(), &model()).unwrap();
        assert_eq!(cache.get(&passage("3")).unwrap(), Some(vector(3.0)));
        assert_eq!(cache.len(), 10);
    }

    #[test]
    fn a_foreign_file_is_begun_anew() {
        let folder = tempfile::tempdir().unwrap();
        let path = filled(folder.path());
        for foreign in [&b"garbage"[..], b"", b"WWVECT01\x04\x00\x00\x00", &[0xff; 500]] {
            std::fs::write(&path, foreign).unwrap();
            let mut cache = EmbeddingCache::open(folder.path(), &model()).unwrap();
            assert!(cache.is_empty());
            cache.put(&passage("1"), &vector(1.0)).unwrap();
            drop(cache);
            assert_eq!(EmbeddingCache::open(folder.path(), &model()).unwrap().len(), 1);
        }
    }

    #[test]
    fn a_second_opener_is_told_and_the_first_goes_on() {
        let folder = tempfile::tempdir().unwrap();
        let mut first = EmbeddingCache::open(folder.path(), &model()).unwrap();
        let second = EmbeddingCache::open(folder.path(), &model());
        assert!(matches!(second, Err(CacheError::InUse { .. })), "{second:?}");
        first.put(&passage("1"), &vector(1.0)).unwrap();
        drop(first);
        assert_eq!(EmbeddingCache::open(folder.path(), &model()).unwrap().len(), 1);
    }

    #[test]
    fn a_hundred_thousand_records_load_fast() {
        let folder = tempfile::tempdir().unwrap();
        let path = filled(folder.path());
        let mut bytes = std::fs::read(&path).unwrap();
        for number in 0..100_000_u32 {
            let mut record = vec![0; KEY];
            record[..4].copy_from_slice(&number.to_le_bytes());
            record.extend_from_slice(&[0; 12]);
            record.extend_from_slice(&crc32fast::hash(&record).to_le_bytes());
            bytes.extend_from_slice(&record);
        }
        std::fs::write(&path, &bytes).unwrap();
        let start = std::time::Instant::now();
        assert_eq!(EmbeddingCache::open(folder.path(), &model()).unwrap().len(), 100_010);
        assert!(start.elapsed().as_secs() < 5, "{:?}", start.elapsed());
    }
}
