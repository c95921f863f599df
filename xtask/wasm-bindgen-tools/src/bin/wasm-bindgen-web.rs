//! `wasm-bindgen-web MODULE FOLDER NAME` writes the module and its glue for browsers, as `wasm-bindgen` does
//! with `--target web --no-typescript --experimental-reset-state-function --keep-lld-exports`.

use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;

use wasm_bindgen_cli_support::Bindgen;

fn main() -> ExitCode {
    let args: Vec<OsString> = std::env::args_os().skip(1).collect();
    match args.as_slice() {
        [option] if option == "--version" => println!("wasm-bindgen-web {}", env!("CARGO_PKG_VERSION")),
        [module, folder, name] => {
            if let Err(error) = bind(Path::new(module), Path::new(folder), &name.to_string_lossy()) {
                eprintln!("error: {error:?}");
                return ExitCode::FAILURE;
            }
        }
        _ => {
            eprintln!("usage: wasm-bindgen-web MODULE FOLDER NAME");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

fn bind(module: &Path, folder: &Path, name: &str) -> Result<(), Box<dyn std::error::Error>> {
    let mut bindgen = Bindgen::new();
    bindgen.input_path(module).web(true)?.omit_default_module_path(false);
    bindgen.reset_state_function(true).keep_lld_exports(true).out_name(name);
    Ok(bindgen.generate(folder)?)
}
