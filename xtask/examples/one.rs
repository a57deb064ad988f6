use std::process::Command;
fn main() {
    let a: Vec<String> = std::env::args().skip(1).collect();
    if a[0] == "br" {
        let bytes = std::fs::read(&a[1]).unwrap();
        let mut packed = Vec::new();
        brotli::BrotliCompress(
            &mut bytes.as_slice(),
            &mut packed,
            &brotli::enc::BrotliEncoderParams {
                quality: 11,
                lgwin: 22,
                ..Default::default()
            },
        )
        .unwrap();
        println!("{} {} {}", a[1], bytes.len(), packed.len());
        return;
    }
    let (wasm, out) = (&a[0], &a[1]);
    let name = std::path::Path::new(wasm)
        .file_stem()
        .unwrap()
        .to_str()
        .unwrap()
        .to_owned();
    wasm_bindgen_cli_support::Bindgen::new()
        .input_path(wasm)
        .web(true)
        .unwrap()
        .typescript(false)
        .omit_default_module_path(false)
        .reset_state_function(true)
        .keep_debug(std::env::var("NAMES").is_ok())
        .generate(out)
        .unwrap();
    let bound = format!("{out}/{name}_bg.wasm");
    let to = format!("{out}/opt.wasm");
    let mut c = Command::new("node");
    c.arg("tests/e2e/node_modules/binaryen/bin/wasm-opt")
        .arg(&bound);
    if std::env::var("NAMES").is_ok() {
        c.arg("-g");
    }
    if a.len() > 2 {
        c.args(&a[2..]);
    } else {
        c.arg("-Oz");
    }
    c.args([
        "--low-memory-unused",
        "--enable-bulk-memory",
        "--enable-bulk-memory-opt",
        "--enable-nontrapping-float-to-int",
        "--enable-sign-ext",
        "--enable-mutable-globals",
        "--enable-reference-types",
        "--enable-multivalue",
        "--enable-call-indirect-overlong",
        "--strip-producers",
        "-o",
        &to,
    ]);
    assert!(c.status().unwrap().success());
    let bytes = std::fs::read(&to).unwrap();
    let mut packed = Vec::new();
    if std::env::var("NOBR").is_err() {
        brotli::BrotliCompress(
            &mut bytes.as_slice(),
            &mut packed,
            &brotli::enc::BrotliEncoderParams {
                quality: 11,
                lgwin: 22,
                ..Default::default()
            },
        )
        .unwrap();
    }
    println!(
        "raw {} brotli {} bound {}",
        bytes.len(),
        packed.len(),
        std::fs::metadata(&bound).unwrap().len()
    );
}
