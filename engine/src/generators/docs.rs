//! `gen-op-doc`, `gen-dialect-doc`: Markdown.
