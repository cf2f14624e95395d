#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "feel/feel.h"

namespace beeline::feel {

// The smallest pieces of an expression. Names are not tokens: only the parser, which knows the
// names in scope, can decide whether `a - b` is one name or three tokens.
enum class TokenKind {
  Number,    // digits, checked to be a number
  String,    // with its quotes and undecoded escapes
  Word,      // an identifier or keyword
  Quoted,    // a name between back-ticks, without them
  Symbol,    // an operator or bracket
  Fragment,  // a text that can only be part of a name: 2nd, %, '
  End
};

struct Token {
  TokenKind kind = TokenKind::End;
  std::string_view text;  // a piece of the source
  std::size_t offset = 0;

  [[nodiscard]] bool is_symbol(std::string_view symbol) const {
    return kind == TokenKind::Symbol && text == symbol;
  }
  [[nodiscard]] bool is_word(std::string_view word) const {
    return kind == TokenKind::Word && text == word;
  }
};

inline constexpr std::size_t kTextMax = 64 * 1024;  // bytes of one expression
inline constexpr std::size_t kTokensMax = 20'000;

// Cuts a text into tokens; the last one is End. The text must outlive the tokens.
[[nodiscard]] Result<std::vector<Token>, ParseError> tokenize(std::string_view text);

// Returns the characters that a string token represents.
[[nodiscard]] std::string decode_string(std::string_view quoted);

// Returns the name that these tokens spell, in normal form: one space between words, no space
// beside other characters.
[[nodiscard]] std::string spell_name(const Token* tokens, std::size_t count);

}  // namespace beeline::feel
