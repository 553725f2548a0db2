//! Tiny bots: each reads state.json and writes command.txt, without anything between.

use super::TinyBot;
use super::steps::{JAVA_PLAIN, MCS};

/// A tiny bot that is a script.
const fn script(file: &'static str, source: &'static str) -> TinyBot {
    TinyBot { file, source, run_file: file, build: &[], otherwise: None }
}

/// For Python of both kinds.
pub(super) static PYTHON: TinyBot = script(
    "tiny.py",
    "import json, os, sys\n\
     f = sys.argv[2]\n\
     json.load(open(os.path.join(f, 'state.json')))\n\
     open(os.path.join(f, 'command.txt'), 'w').write('0,0,0')\n",
);

/// For JavaScript and what becomes JavaScript.
pub(super) static NODE: TinyBot = script(
    "tiny.js",
    "const fs = require('fs'), f = process.argv[3];\n\
     JSON.parse(fs.readFileSync(f + '/state.json'));\n\
     fs.writeFileSync(f + '/command.txt', '0,0,0');\n",
);

pub(super) static JULIA: TinyBot =
    script("tiny.jl", "f = ARGS[2]\nread(f * \"/state.json\", String)\nwrite(f * \"/command.txt\", \"0,0,0\")\n");

pub(super) static PHP: TinyBot = script(
    "tiny.php",
    "<?php\njson_decode(file_get_contents($argv[2] . '/state.json'));\n\
     file_put_contents($argv[2] . '/command.txt', '0,0,0');\n",
);

pub(super) static RUBY: TinyBot = script(
    "tiny.rb",
    "require 'json'\nJSON.parse(File.read(ARGV[1] + '/state.json'))\nFile.write(ARGV[1] + '/command.txt', '0,0,0')\n",
);

pub(super) static LUA: TinyBot = script(
    "tiny.lua",
    "local state = io.open(arg[2] .. '/state.json')\nstate:read('*a')\nstate:close()\n\
     local command = io.open(arg[2] .. '/command.txt', 'w')\ncommand:write('0,0,0')\ncommand:close()\n",
);

/// For all languages of the Java virtual machine: the machine is what takes the time.
pub(super) static JAVA: TinyBot = TinyBot {
    file: "Tiny.java",
    source: "import java.nio.file.*;\n\
             public class Tiny {\n\
             \x20   public static void main(String[] args) throws Exception {\n\
             \x20       new String(Files.readAllBytes(Paths.get(args[1], \"state.json\")), \"UTF-8\");\n\
             \x20       Files.write(Paths.get(args[1], \"command.txt\"), \"0,0,0\".getBytes());\n\
             \x20   }\n\
             }\n",
    run_file: "tiny.jar",
    build: JAVA_PLAIN,
    otherwise: Some(&["-Xms512m", "-version"]),
};

/// For mono.
pub(super) static MONO: TinyBot = TinyBot {
    file: "Tiny.cs",
    source: "using System.IO;\n\
             static class Tiny {\n\
             \x20   static void Main(string[] args) {\n\
             \x20       File.ReadAllText(Path.Combine(args[1], \"state.json\"));\n\
             \x20       File.WriteAllText(Path.Combine(args[1], \"command.txt\"), \"0,0,0\");\n\
             \x20   }\n\
             }\n",
    run_file: "Tiny.exe",
    build: MCS,
    otherwise: None,
};
