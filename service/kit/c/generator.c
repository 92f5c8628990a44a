// The generator `-gen-@NAME@`.

#include "odsmith.h"

// Lists the operations, with their dialects and summaries.
static void generate(const Json *request) {
  const Json *records = member(request, REQUEST_RECORDS);
  if (!records) {
    needs("\"Op\"", "\"opDialect\",\"opName\",\"summary\"");
    return;
  }
  Text text = {0};
  const Json *names = member(member(records, "!instanceof"), "Op");
  for (const Json *name = names ? names->first : 0; name; name = name->next) {
    const Json *op = member(records, name->text);
    append(&text, "%s: %s, %s: %s\n", name->text, text_of(member(member(op, "opDialect"), "def")),
           text_of(member(op, "opName")), text_of(member(op, "summary")));
  }
  file(request, &text);
}

int main(void) { return run(generate); }
