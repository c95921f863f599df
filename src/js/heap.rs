use rlsf::{GlobalTlsf, GlobalTlsfOptions};

/// Where the package's module has its memory: 1.5 kB less to download than with the standard library's
/// allocator, and as fast. Pages that follow each other are one, as a reply can be larger than any page. To
/// grow in place would cost 0.3 kB and gain no time.
#[global_allocator]
static HEAP: GlobalTlsf<Heap> = GlobalTlsf::new();

struct Heap;

impl GlobalTlsfOptions for Heap {
    const ENABLE_REALLOCATION: bool = false;
    const COALESCE_POOLS: bool = true;
}
