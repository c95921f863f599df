//! Bytes of one file or sum, as they are and compressed as servers compress once and for all.

use std::io::Write as _;

use serde_json::{Value, json};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Bytes {
    pub(super) raw: usize,
    pub(super) gzip: usize,
    pub(super) brotli: usize,
}

impl Bytes {
    pub(super) fn of(content: &[u8]) -> anyhow::Result<Bytes> {
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        gzip.write_all(content)?;
        Ok(Bytes { raw: content.len(), gzip: gzip.finish()?.len(), brotli: brotli(content)? })
    }

    pub(super) fn plus(self, other: Bytes) -> Bytes {
        Bytes { raw: self.raw + other.raw, gzip: self.gzip + other.gzip, brotli: self.brotli + other.brotli }
    }

    /// What is more than in `other`.
    pub(super) fn beyond(self, other: Bytes) -> Bytes {
        Bytes {
            raw: self.raw.saturating_sub(other.raw),
            gzip: self.gzip.saturating_sub(other.gzip),
            brotli: self.brotli.saturating_sub(other.brotli),
        }
    }

    pub(super) fn entry(self) -> Value {
        json!({ "raw": self.raw, "gzip": self.gzip, "brotli": self.brotli })
    }
}

/// Quality 11 and a window of 4 MB: what `brotli` does when nothing is asked of it.
pub(super) fn brotli(content: &[u8]) -> anyhow::Result<usize> {
    let mut compressed = Vec::new();
    brotli::CompressorWriter::new(&mut compressed, 4096, 11, 22).write_all(content)?;
    Ok(compressed.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;

    #[test]
    fn both_compressions_hold_the_whole_content() {
        let content = "the same words again and again, ".repeat(500).into_bytes();
        let bytes = Bytes::of(&content).unwrap();
        assert_eq!(bytes.raw, content.len());
        assert!(bytes.brotli < bytes.gzip && bytes.gzip < bytes.raw);
        let mut brotli = Vec::new();
        brotli::CompressorWriter::new(&mut brotli, 4096, 11, 22).write_all(&content).unwrap();
        assert_eq!(bytes.brotli, brotli.len());
        let mut back = Vec::new();
        brotli::Decompressor::new(brotli.as_slice(), 4096).read_to_end(&mut back).unwrap();
        assert_eq!(back, content);
    }

    #[test]
    fn what_is_more_is_never_negative() {
        let bytes = |raw| Bytes { raw, gzip: raw / 2, brotli: raw / 4 };
        assert_eq!(bytes(400).beyond(bytes(200)), bytes(200));
        assert_eq!(bytes(200).beyond(bytes(400)), bytes(0));
        assert_eq!(bytes(400).plus(bytes(200)), bytes(600));
    }
}
