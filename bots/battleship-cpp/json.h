// Reads JSON: just what a bot needs, in place of a library. Text is UTF-8, and numbers are doubles.
#pragma once
#include <cctype>
#include <cstdlib>
#include <cstring>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

class Json {
public:
    // Reads a whole text, and throws std::runtime_error if it is not JSON.
    static Json parse(const std::string& text) {
        const char* at = text.c_str();
        Json value = read(at);
        if (*skip(at)) fail(at);
        return value;
    }

    bool has(const std::string& name) const { return fields.count(name) > 0; }
    // The field of an object; throws std::out_of_range if there is none.
    const Json& operator[](const std::string& name) const { return fields.at(name); }
    const std::vector<Json>& list() const { return items; }
    const std::string& text() const { return string; }
    int number() const { return static_cast<int>(value); }
    bool is_true() const { return value != 0; }

private:
    std::map<std::string, Json> fields;
    std::vector<Json> items;
    std::string string;
    double value = 0;  // of a number; 1 for true

    [[noreturn]] static void fail(const char* at) {
        throw std::runtime_error("not JSON at \"" + std::string(at).substr(0, 20) + "\"");
    }

    static const char*& skip(const char*& at) {
        while (*at == ' ' || *at == '\t' || *at == '\n' || *at == '\r') at++;
        return at;
    }

    static bool take(const char*& at, const std::string& word) {
        if (std::strncmp(skip(at), word.c_str(), word.size()) != 0) return false;
        at += word.size();
        return true;
    }

    static void expect(const char*& at, const std::string& word) {
        if (!take(at, word)) fail(at);
    }

    static Json read(const char*& at) {
        Json json;
        if (take(at, "{")) {
            if (take(at, "}")) return json;
            do {
                expect(at, "\"");
                const std::string name = read_text(at);
                expect(at, ":");
                json.fields[name] = read(at);
            } while (take(at, ","));
            expect(at, "}");
        } else if (take(at, "[")) {
            if (take(at, "]")) return json;
            do json.items.push_back(read(at));
            while (take(at, ","));
            expect(at, "]");
        } else if (take(at, "\"")) {
            json.string = read_text(at);
        } else if (take(at, "true")) {
            json.value = 1;
        } else if (!take(at, "false") && !take(at, "null")) {
            char* end;
            json.value = std::strtod(at, &end);
            if (end == at) fail(at);
            at = end;
        }
        return json;
    }

    // Reads a text behind its first quotation mark.
    static std::string read_text(const char*& at) {
        std::string text;
        while (*at != '"') {
            if (!*at) fail(at);
            if (*at != '\\') {
                text += *at++;
                continue;
            }
            const char sign = *++at;
            if (!sign) fail(at);
            at++;
            switch (sign) {
                case 'b': text += '\b'; break;
                case 'f': text += '\f'; break;
                case 'n': text += '\n'; break;
                case 'r': text += '\r'; break;
                case 't': text += '\t'; break;
                case 'u': add_utf8(text, read_code_point(at)); break;
                default: text += sign;
            }
        }
        at++;
        return text;
    }

    static unsigned read_hex(const char*& at) {
        unsigned number = 0;
        for (int digit = 0; digit < 4; digit++, at++) {
            if (!std::isxdigit(static_cast<unsigned char>(*at))) fail(at);
            number = number * 16 + (std::isdigit(static_cast<unsigned char>(*at)) ? *at - '0' : (*at | 0x20) - 'a' + 10);
        }
        return number;
    }

    // Characters beyond 0xffff are written as two halves.
    static unsigned read_code_point(const char*& at) {
        const unsigned code = read_hex(at);
        if (code < 0xd800 || code > 0xdbff || at[0] != '\\' || at[1] != 'u') return code;
        at += 2;
        return 0x10000 + ((code - 0xd800) << 10) + (read_hex(at) - 0xdc00);
    }

    static void add_utf8(std::string& text, unsigned code) {
        if (code < 0x80) {
            text += static_cast<char>(code);
            return;
        }
        const int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
        const unsigned mark[] = {0, 0xc0, 0xe0, 0xf0};
        text += static_cast<char>(mark[more] | (code >> (6 * more)));
        for (int left = more - 1; left >= 0; left--) text += static_cast<char>(0x80 | ((code >> (6 * left)) & 0x3f));
    }
};

// A text as JSON, with its quotation marks.
inline std::string quoted(const std::string& text) {
    std::string json = "\"";
    for (const char sign : text) {
        if (sign == '"' || sign == '\\') json += '\\';
        json += sign;
    }
    return json + '"';
}
