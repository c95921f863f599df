//! The `wasm-bindgen` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    env_logger::init();
    match wasm_bindgen_cli::wasm_bindgen::run_cli_with_args(std::env::args_os()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:?}");
            ExitCode::FAILURE
        }
    }
}
