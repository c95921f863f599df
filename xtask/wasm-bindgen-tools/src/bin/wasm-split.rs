//! `wasm-split MODULE FOLDER` splits a module that was linked with its relocations into `first.wasm`, a
//! `split_NAME.wasm` for each part, and a `chunk_N.wasm` for what several parts share.

use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let args: Vec<OsString> = std::env::args_os().skip(1).collect();
    match args.as_slice() {
        [option] if option == "--version" => println!("wasm-split {}", env!("CARGO_PKG_VERSION")),
        [module, folder] => {
            if let Err(error) = split(Path::new(module), Path::new(folder)) {
                eprintln!("error: {error}");
                return ExitCode::FAILURE;
            }
        }
        _ => {
            eprintln!("usage: wasm-split MODULE FOLDER");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

fn split(module: &Path, folder: &Path) -> Result<(), Box<dyn std::error::Error>> {
    let bytes = std::fs::read(module)?;
    let first = folder.join("first.wasm");
    let mut options = wasm_split_cli_support::Options::new(&bytes);
    options.output_dir = folder;
    options.main_out_path = &first;
    wasm_split_cli_support::transform(options)?;
    Ok(())
}
