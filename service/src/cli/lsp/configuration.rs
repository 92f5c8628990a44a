//! Editor configurations that start the server.

use clap::ValueEnum;

/// An editor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Editor {
    /// Neovim 0.11 or newer
    Nvim,
    /// Helix
    Helix,
    /// Emacs with Eglot
    Emacs,
    /// Zed
    Zed,
    /// Visual Studio Code
    Vscode,
}

/// Returns the text for the editor's configuration.
#[must_use]
pub fn of(editor: Editor) -> &'static str {
    match editor {
        Editor::Nvim => NVIM,
        Editor::Helix => HELIX,
        Editor::Emacs => EMACS,
        Editor::Zed => ZED,
        Editor::Vscode => VSCODE,
    }
}

const NVIM: &str = r#"-- ~/.config/nvim/init.lua, for Neovim 0.11 or newer
vim.filetype.add({ extension = { td = "tablegen", mlir = "mlir" } })
vim.lsp.config("odsmith", {
  cmd = { "odsmith", "lsp" },
  filetypes = { "tablegen", "mlir" },
  root_markers = { "odsmith.toml", ".git" },
})
vim.lsp.enable("odsmith")

-- What the definition under the cursor becomes: :Ods declarations, :Ods example, ... The lines of the field under the
-- cursor are marked there; in the preview, the field that a line is there for.
local views = { "declarations", "definitions", "python", "markdown", "example", "program", "record" }
local space = vim.api.nvim_create_namespace("odsmith")
local function mark(buffer, ranges)
  vim.api.nvim_buf_clear_namespace(buffer, space, 0, -1)
  for _, it in ipairs(ranges) do vim.hl.range(buffer, space, "Visual", it[1], it[2]) end
end
vim.api.nvim_create_user_command("Ods", function(call)
  local client = vim.lsp.get_clients({ name = "odsmith", bufnr = 0 })[1]
  if not client then return end
  local source, params = vim.api.nvim_get_current_buf(), vim.lsp.util.make_position_params(0, client.offset_encoding)
  params.view = call.args ~= "" and call.args or "declarations"
  client:request("odsmith/preview", params, function(_, preview)
    if not preview then return end
    vim.cmd.vsplit()
    local buffer = vim.api.nvim_create_buf(false, true)
    vim.api.nvim_buf_set_lines(buffer, 0, -1, false, vim.split(preview.text, "\n"))
    vim.bo[buffer].filetype = preview.language
    vim.api.nvim_win_set_buf(0, buffer)
    vim.api.nvim_win_set_cursor(0, { preview.line + 1, 0 })
    client:request("odsmith/previewParts", params, function(_, parts)
      local at = { params.position.line, params.position.character }
      local function within(part)
        local from, to = part.range.start, part.range["end"]
        return (from.line < at[1] or from.line == at[1] and from.character <= at[2])
          and (at[1] < to.line or at[1] == to.line and at[2] <= to.character)
      end
      for _, part in ipairs(parts or {}) do
        if within(part) then
          mark(buffer, vim.tbl_map(function(it) return { { it[1], 0 }, { it[2], 0 } } end, part.lines))
        end
      end
      vim.api.nvim_create_autocmd("CursorMoved", { buffer = buffer, callback = function()
        local line = vim.api.nvim_win_get_cursor(0)[1] - 1
        for _, part in ipairs(parts or {}) do
          for _, it in ipairs(part.lines) do
            if it[1] <= line and line < it[2] then
              local from, to = part.range.start, part.range["end"]
              mark(source, { { { from.line, from.character }, { to.line, to.character } } })
            end
          end
        end
      end })
    end)
  end)
end, { nargs = "?", complete = function() return views end })
"#;

const HELIX: &str = r#"# ~/.config/helix/languages.toml
[language-server.odsmith]
command = "odsmith"
args = ["lsp"]

[[language]]
name = "tablegen"
scope = "source.tablegen"
file-types = ["td"]
roots = ["odsmith.toml", ".git"]
comment-token = "//"
language-servers = ["odsmith"]

[[language]]
name = "mlir"
scope = "source.mlir"
file-types = ["mlir"]
roots = ["odsmith.toml", ".git"]
comment-token = "//"
language-servers = ["odsmith"]
"#;

const EMACS: &str = r#";; ~/.emacs.d/init.el, with Eglot (Emacs 29 or newer)
(define-derived-mode tablegen-mode prog-mode "TableGen"
  (setq-local comment-start "// "))
(add-to-list 'auto-mode-alist '("\\.td\\'" . tablegen-mode))
(define-derived-mode mlir-mode prog-mode "MLIR"
  (setq-local comment-start "// "))
(add-to-list 'auto-mode-alist '("\\.mlir\\'" . mlir-mode))
(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs '((tablegen-mode mlir-mode) . ("odsmith" "lsp"))))
(add-hook 'tablegen-mode-hook #'eglot-ensure)
(add-hook 'mlir-mode-hook #'eglot-ensure)
"#;

const ZED: &str = r#"// ~/.config/zed/settings.json, besides extensions that know the languages TableGen and MLIR
{
  "lsp": {
    "odsmith": {
      "binary": { "path": "odsmith", "arguments": ["lsp"] }
    }
  },
  "languages": {
    "TableGen": { "language_servers": ["odsmith"] },
    "MLIR": { "language_servers": ["odsmith"] }
  },
  "file_types": { "TableGen": ["td"], "MLIR": ["mlir"] }
}
"#;

const VSCODE: &str = r#"// settings.json, with the extension "odsmith"; without these lines it starts `odsmith` from PATH
{
  "odsmith.path": "odsmith",
  "odsmith.arguments": ["lsp"],
  "files.associations": { "*.td": "tablegen", "*.mlir": "mlir" }
}
"#;
