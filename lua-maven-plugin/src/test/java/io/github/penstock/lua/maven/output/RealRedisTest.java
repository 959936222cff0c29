package io.github.penstock.lua.maven.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RealRedisTest {
  @TempDir static Path root;
  private static ProjectCopy project;
  @AutoClose private static RealServer redis;

  @BeforeAll
  static void build() throws IOException {
    project = new ProjectCopy(root);
    assertThat(project.build(true)).isEmpty();
    redis = new RealServer();
    redis.call("FUNCTION", "LOAD", project.text("functions/jobs.lua"));
  }

  @ParameterizedTest
  @DisplayName("the server loads both forms and finds the same SHA1")
  @ValueSource(
      strings = {
        "minified/quota.min.lua",
        "minified/unlock.min.lua",
        "minified/zoo.min.lua",
        "readable/quota.lua",
        "readable/unlock.lua",
        "readable/zoo.lua"
      })
  void load(String file) throws IOException {
    assertThat(redis.call("SCRIPT", "LOAD", project.text(file)))
        .isEqualTo(project.text(file + ".sha1"));
  }

  @Test
  @DisplayName("source, minified form and function answer the same")
  void same() throws IOException {
    Object expected =
        redis.call("EVAL", project.text("readable/zoo.lua"), "2", "k1", "key2", "some text");
    assertThat(
            redis.call(
                "EVAL", project.text("minified/zoo.min.lua"), "2", "k1", "key2", "some text"))
        .isEqualTo(expected);
    assertThat(redis.call("FCALL", "jobs_zoo", "2", "k1", "key2", "some text")).isEqualTo(expected);
    assertThat(expected.toString()).startsWith("[9, ").contains("SOME TEXTSOME TEXT");
    assertThatThrownBy(() -> redis.call("FCALL", "jobs_zoo", "0"))
        .hasMessageStartingWith("ERR zoo: text must be given");
  }

  @Test
  @DisplayName("a peek reads, even where writing is forbidden, and refuses any other cost")
  void peek() throws IOException {
    redis.call("DEL", "q");
    String now = "1700000000000000";
    assertThat(
            redis
                .call("FCALL", "jobs_quota", "1", "q", "3", "10", "60000000", "5", "90000000", now)
                .toString())
        .isEqualTo("[1, 2, 2]");
    assertThat(
            redis
                .call(
                    "FCALL_RO",
                    "jobs_quota_peek",
                    "1",
                    "q",
                    "0",
                    "10",
                    "60000000",
                    "5",
                    "90000000",
                    now)
                .toString())
        .isEqualTo("[1, 2, 2]");
    assertThatThrownBy(
            () -> redis.call("FCALL_RO", "jobs_quota_peek", "1", "q", "1", "10", "60000000", now))
        .hasMessage("ERR quota: cost must be 0 in a peek");
    assertThatThrownBy(() -> redis.call("FCALL_RO", "jobs_quota_peek", "1", "q"))
        .hasMessage("ERR quota: cost must be 0 in a peek");
    assertThatThrownBy(() -> redis.call("FCALL_RO", "jobs_quota", "1", "q", "0", "10", "60000000"))
        .hasMessageContaining("Can not execute a script with write flag");
  }
}
