-- Neovim without a screen: opens a dialect, breaks it, mends it, renames an operand, and saves.
-- What it saw goes to the file that ODSMITH_REPORT names: a line for each step, `failed: …` if one failed.
local report = io.open(os.getenv("ODSMITH_REPORT"), "w")

local function say(text)
  report:write(text .. "\n")
  report:flush()
end

local published = {}
local client

local function wait(what, is_done)
  if not vim.wait(60000, is_done, 10) then
    say("failed: waited too long for " .. what)
    vim.cmd("cquit 1")
  end
end

local function errors(buffer)
  local found = vim.diagnostic.get(buffer, { severity = vim.diagnostic.severity.ERROR })
  return #found, found[1]
end

local function run()
  local file = os.getenv("ODSMITH_FILE")
  vim.cmd("edit " .. file)
  local buffer = vim.api.nvim_get_current_buf()
  local handler = vim.lsp.handlers["textDocument/publishDiagnostics"]
  client = vim.lsp.start_client({
    name = "odsmith",
    cmd = { os.getenv("ODSMITH_BIN"), "lsp" },
    root_dir = os.getenv("ODSMITH_ROOT"),
    handlers = {
      ["textDocument/publishDiagnostics"] = function(err, result, context, config)
        if result.uri == vim.uri_from_bufnr(buffer) then
          published[#published + 1] = #result.diagnostics
        end
        handler(err, result, context, config)
      end,
    },
  })
  vim.api.nvim_buf_set_option(buffer, "filetype", "tablegen")
  vim.lsp.buf_attach_client(buffer, client)
  wait("the first diagnostics", function() return #published > 0 end)
  say("opened with " .. errors(buffer) .. " errors")

  local name = os.getenv("ODSMITH_OPERAND")
  local line
  for number, text in ipairs(vim.api.nvim_buf_get_lines(buffer, 0, -1, false)) do
    if text:find("let arguments", 1, true) or line then
      line = line or number
      if text:find("$" .. name, 1, true) then
        line = number
        break
      end
    end
  end
  local text = vim.api.nvim_buf_get_lines(buffer, line - 1, line, false)[1]
  local column = text:find("$" .. name, 1, true)
  vim.api.nvim_buf_set_lines(buffer, line - 1, line, false, { "  let arguments = (ins NoSuchConstraint:$x); //" .. text })
  wait("an error", function() return errors(buffer) > 0 end)
  local _, first = errors(buffer)
  say("broken: " .. first.message)
  vim.api.nvim_buf_set_lines(buffer, line - 1, line, false, { text })
  wait("no error", function() return errors(buffer) == 0 end)
  say("mended")

  local parameters = {
    textDocument = { uri = vim.uri_from_bufnr(buffer) },
    position = { line = line - 1, character = column },
    newName = os.getenv("ODSMITH_NEW_NAME"),
  }
  local answers = vim.lsp.buf_request_sync(buffer, "textDocument/rename", parameters, 60000)
  local answer = answers[client]
  if not answer or not answer.result then
    say("failed: rename: " .. vim.inspect(answers))
    vim.cmd("cquit 1")
  end
  local encoding = vim.lsp.get_client_by_id(client).offset_encoding
  vim.lsp.util.apply_workspace_edit(answer.result, encoding)
  local before = #published
  wait("the diagnostics of the new name", function() return #published >= before and errors(buffer) == 0 end)
  say("renamed in " .. vim.tbl_count(answer.result.documentChanges or answer.result.changes) .. " file")
  vim.cmd("wall")
  local hover = vim.lsp.buf_request_sync(buffer, "textDocument/hover", vim.tbl_extend("force", parameters, { newName = vim.NIL }), 60000)
  say("hover: " .. hover[client].result.contents.value:match("```tablegen\n([^\n]*)"))
  vim.lsp.stop_client(client)
  vim.cmd("qall!")
end

local ok, message = pcall(run)
if not ok then
  say("failed: " .. tostring(message))
  vim.cmd("cquit 1")
end
