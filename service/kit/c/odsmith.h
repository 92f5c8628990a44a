// The protocol between odsmith and this program. `odsmith schema plugin` describes it.

#ifndef ODSMITH_H
#define ODSMITH_H

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

@TYPES@
// A value of JSON. Members and items are lists; numbers and words have their text.
typedef struct Json {
  enum { JSON_WORD, JSON_STRING, JSON_LIST, JSON_OBJECT } kind;
  const char *key;
  const char *text;
  struct Json *first, *last, *next;
  const struct Json *found;  // Of an object: the member that was asked for last.
} Json;

// A text that grows.
typedef struct {
  char *bytes;
  size_t length, room;
} Text;

static void fail(const char *message) {
  fprintf(stderr, "%s\n", message);
  exit(1);
}

static void append_bytes(Text *text, const char *bytes, size_t length) {
  if (text->length + length + 1 > text->room) {
    text->room = (text->length + length + 1) * 2;
    text->bytes = realloc(text->bytes, text->room);
    if (!text->bytes) fail("there is no memory");
  }
  memcpy(text->bytes + text->length, bytes, length);
  text->bytes[text->length += length] = 0;
}

// Appends as printf prints.
static void append(Text *text, const char *format, ...) {
  va_list list, again;
  va_start(list, format);
  va_copy(again, list);
  int length = vsnprintf(0, 0, format, list);
  char *bytes = malloc((size_t)length + 1);
  if (!bytes) fail("there is no memory");
  vsnprintf(bytes, (size_t)length + 1, format, again);
  append_bytes(text, bytes, (size_t)length);
  free(bytes);
  va_end(list);
  va_end(again);
}

static void append_character(Text *text, uint32_t c) {
  char bytes[4];
  size_t length = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
  for (size_t at = length - 1; at > 0; at--, c >>= 6) bytes[at] = (char)(0x80 | (c & 0x3f));
  bytes[0] = (char)(length == 1 ? c : ((0xf00 >> length) & 0xff) | c);
  append_bytes(text, bytes, length);
}

// Reads four hex digits.
static uint32_t read_hex(const char *at) {
  char digits[5] = {0};
  memcpy(digits, at, 4);
  return (uint32_t)strtoul(digits, 0, 16);
}

static const char *read_string(const char **at) {
  Text text = {0};
  append_bytes(&text, "", 0);
  for ((*at)++; **at != '"'; (*at)++) {
    if (!**at) fail("the request ends in a string");
    if (**at != '\\') {
      append_bytes(&text, *at, 1);
      continue;
    }
    const char *known = strchr("n\nt\tr\rb\bf\f", *++*at);
    if (**at == 'u') {
      uint32_t c = read_hex(*at + 1);
      *at += 4;
      if (c >= 0xd800 && c < 0xdc00 && (*at)[1] == '\\') {
        c = 0x10000 + ((c - 0xd800) << 10) + (read_hex(*at + 3) - 0xdc00);
        *at += 6;
      }
      append_character(&text, c);
    } else {
      append_bytes(&text, known && **at ? known + 1 : *at, 1);
    }
  }
  (*at)++;
  return text.bytes;
}

static Json *read_value(const char **at) {
  Json *value = calloc(1, sizeof(Json));
  if (!value) fail("there is no memory");
  *at += strspn(*at, " \n\r\t");
  char open = **at;
  if (open == '"') {
    value->kind = JSON_STRING;
    value->text = read_string(at);
  } else if (open == '{' || open == '[') {
    value->kind = open == '{' ? JSON_OBJECT : JSON_LIST;
    char close = open == '{' ? '}' : ']';
    for ((*at)++;;) {
      *at += strspn(*at, " \n\r\t,:");
      if (!**at) fail("the request ends too early");
      if (**at == close) break;
      const char *key = open == '{' ? read_string(at) : 0;
      *at += strspn(*at, " \n\r\t:");
      Json *item = read_value(at);
      item->key = key;
      if (value->last) value->last->next = item;
      else value->first = item;
      value->last = item;
    }
    (*at)++;
  } else {
    size_t length = strcspn(*at, ",]} \n\r\t");
    Text text = {0};
    append_bytes(&text, *at, length);
    value->text = text.bytes;
    *at += length;
  }
  return value;
}

static const Json *find_member(const Json *first, const Json *end, const char *key) {
  for (const Json *item = first; item != end; item = item->next)
    if (!strcmp(item->key, key)) return item;
  return 0;
}

// Returns a member of an object; 0 if there is none. Members are mostly asked for in their order, so that the search begins after the
// one that was asked for last.
static const Json *member(const Json *object, const char *key) {
  if (!object || object->kind != JSON_OBJECT) return 0;
  const Json *start = object->found ? object->found->next : object->first;
  const Json *item = find_member(start, 0, key);
  if (!item) item = find_member(object->first, start, key);
  if (item) ((Json *)object)->found = item;
  return item;
}

// Returns the text of a string; empty for another value.
static const char *text_of(const Json *value) { return value && value->kind == JSON_STRING ? value->text : ""; }

static void append_string(Text *text, const char *bytes) {
  append_bytes(text, "\"", 1);
  for (; *bytes; bytes++) {
    if (*bytes == '"' || *bytes == '\\') append(text, "\\%c", *bytes);
    else if ((unsigned char)*bytes < 0x20) append(text, "\\u%04x", *bytes);
    else append_bytes(text, bytes, 1);
  }
  append_bytes(text, "\"", 1);
}

static void answer(const Text *message) {
  unsigned char head[4];
  for (int at = 0; at < 4; at++) head[at] = (unsigned char)(message->length >> (8 * at));
  fwrite(head, 1, 4, stdout);
  fwrite(message->bytes, 1, message->length, stdout);
  fflush(stdout);
}

// Asks for data: the program runs once more, and its request has them. Both are lists of JSON, without brackets.
static void needs(const char *classes, const char *fields) {
  Text text = {0};
  append(&text, "{\"protocol\":%d,\"needs\":{\"classes\":[%s],\"fields\":[%s]}}", ODSMITH_PROTOCOL, classes, fields);
  answer(&text);
}

// Answers with the file that is asked for.
static void file(const Json *request, const Text *content) {
  Text text = {0};
  append(&text, "{\"protocol\":%d,\"files\":[{\"name\":", ODSMITH_PROTOCOL);
  append_string(&text, text_of(member(request, REQUEST_OUTPUTS)->first));
  append(&text, ",\"text\":");
  append_string(&text, content->bytes ? content->bytes : "");
  append(&text, "}]}");
  answer(&text);
}

// Reads the request, and has it answered.
static int run(void (*generate)(const Json *)) {
  Text input = {0};
  static char piece[65536];
  for (size_t count; (count = fread(piece, 1, sizeof piece, stdin)) > 0;) append_bytes(&input, piece, count);
  if (input.length < 4) fail("there is no request");
  const char *at = input.bytes + 4;
  generate(read_value(&at));
  return 0;
}

#endif
