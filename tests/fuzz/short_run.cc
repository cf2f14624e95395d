#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

// Runs a fuzz target without libFuzzer: every file of its corpus, then a fixed number of mutations
// of them, the same on every machine. CI builds the targets with this and the sanitizers; `./dev
// fuzz` builds them with libFuzzer and searches for new inputs.
//
//   usage: <target> <runs> [corpus directory]
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

std::vector<std::string> read_corpus(const char* directory) {
  std::vector<std::string> inputs = {""};
  if (directory == nullptr || !std::filesystem::is_directory(directory)) return inputs;
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator{directory}) {
    if (entry.is_regular_file()) paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  for (const auto& path : paths) {
    std::ifstream file{path, std::ios::binary};
    inputs.emplace_back(std::istreambuf_iterator<char>{file}, std::istreambuf_iterator<char>{});
  }
  return inputs;
}

class Mutator {
 public:
  explicit Mutator(const std::vector<std::string>& corpus) : corpus_(corpus) {}

  std::string next() {
    std::string input = pick();
    const std::size_t changes = 1 + below(6);
    for (std::size_t i = 0; i < changes; ++i) change(input);
    return input;
  }

 private:
  std::size_t below(std::size_t limit) { return limit == 0 ? 0 : random_() % limit; }
  const std::string& pick() { return corpus_[below(corpus_.size())]; }

  void change(std::string& input) {
    const std::size_t at = below(input.size() + 1);
    switch (below(6)) {
      case 0:
        if (at < input.size()) input[at] = static_cast<char>(below(256));
        break;
      case 1:
        if (at < input.size()) input[at] = static_cast<char>(input[at] ^ (1 << below(8)));
        break;
      case 2:
        input.insert(at, 1 + below(4), static_cast<char>(below(256)));
        break;
      case 3:
        input.erase(at, 1 + below(16));
        break;
      case 4: {  // a piece of another
        const std::string& other = pick();
        const std::size_t from = below(other.size() + 1);
        input.insert(at, other.substr(from, below(64)));
        break;
      }
      default:
        input.resize(at);
        break;
    }
  }

  const std::vector<std::string>& corpus_;
  std::mt19937_64 random_{20261116};  // NOLINT: the same run everywhere is the point
};

void run(const std::string& input) {
  // Each input has a buffer of its own, so the sanitizer notices every access beyond its end.
  const std::vector<std::uint8_t> bytes(input.begin(), input.end());
  LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
}

}  // namespace

int main(int argc, char** argv) {
  const long runs = argc > 1 ? std::atol(argv[1]) : 1000;
  const std::vector<std::string> corpus = read_corpus(argc > 2 ? argv[2] : nullptr);
  for (const std::string& input : corpus) run(input);
  Mutator mutator{corpus};
  for (long i = 0; i < runs; ++i) run(mutator.next());
  std::printf("%zu inputs and %ld mutations of them\n", corpus.size(), runs);
  return 0;
}
