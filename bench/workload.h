#pragma once

#include <string>
#include <utility>
#include <vector>

#include "engine/engine.h"
#include "record/codec.h"
#include "record/document.h"

// The canonical workload: a process with one service task, with a small payload or with fifteen
// variables of half a kilobyte.
namespace beeline::bench {

[[nodiscard]] std::string one_task_xml();
[[nodiscard]] record::Document payload(const std::string& name);  // "small", "large" or "three"

// The engine alone: it takes commands and makes frames, which are not written anywhere.
class CoreDriver {
 public:
  explicit CoreDriver(engine::EngineOptions options = {});
  void deploy(const std::string& xml = one_task_xml());
  void create(const record::Document& variables, const std::string& process_id = "one_task");
  // Like create() above, with a command that a client has encoded, as it comes from the gateway.
  void create(std::string_view command);
  // Activates up to `max` jobs, with one variable or with all, and completes them. Returns how many
  // there were.
  std::size_t work_off(int max, const std::string& variable = {});
  // Processes a command and its follow-up commands.
  template <typename T>
  void submit(typename T::Intent intent, Key key, const T& value) {
    bytes_.clear();
    record::encode(value, bytes_);
    const record::CommandHead head = record::make_head<T>(intent, key);
    run({head.view(), bytes_, 1});
  }

  engine::Engine& engine() { return engine_; }
  [[nodiscard]] const std::string& last_frame() const { return output_.frame; }
  // Keeps every frame from now on, for replay.
  void keep_frames(std::vector<std::string>* frames) { frames_ = frames; }

 private:
  void run(const engine::Engine::Command& command);
  void take(const engine::BatchOutput& output);

  engine::Engine engine_;
  engine::BatchOutput output_;
  engine::BatchOutput later_;  // output of the commands that the first batch left
  std::string bytes_;
  std::vector<std::string>* frames_ = nullptr;
};

// The value of a command that creates an instance.
[[nodiscard]] std::string creation_command(const record::Document& variables,
                                           const std::string& process_id = "one_task");

}  // namespace beeline::bench
