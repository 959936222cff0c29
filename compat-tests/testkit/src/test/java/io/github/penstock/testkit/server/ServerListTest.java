package io.github.penstock.testkit.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServerListTest {
  @TempDir Path directory;

  private Path launcher(String path) throws IOException {
    Path file = directory.resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, "#!/bin/sh\n");
    assertThat(file.toFile().setExecutable(true)).isTrue();
    return file;
  }

  @Test
  void directoryOfServers() throws IOException {
    Path newer = launcher("redis-8.0/server");
    Path older = launcher("redis-6.0/server");
    Files.createDirectory(directory.resolve("empty"));
    assertThat(ServerList.parse(directory.toString()))
        .containsExactly(
            new ServerExecutable("redis-6.0", older), new ServerExecutable("redis-8.0", newer));
    assertThat(ServerList.parse(directory.resolve("redis-8.0").toString()))
        .containsExactly(new ServerExecutable("redis-8.0", newer));
  }

  @Test
  void filesWithAndWithoutName() throws IOException {
    Path file = launcher("bin/redis-server");
    assertThat(ServerList.parse("mine=" + file + ", " + file + ",embedded"))
        .containsExactly(
            new ServerExecutable("mine", file),
            new ServerExecutable("redis-server", file),
            new EmbeddedServer());
  }

  @Test
  void imagesToTheEnd() {
    assertThat(ServerList.parse("embedded,containers:redis:8.0,valkey/valkey:8.1"))
        .containsExactly(
            new EmbeddedServer(),
            new ContainerImage("redis:8.0"),
            new ContainerImage("valkey/valkey:8.1"));
  }

  @Test
  void whatIsNoServer() throws IOException {
    Files.createDirectory(directory.resolve("empty"));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ServerList.parse(directory.resolve("missing").toString()))
        .withMessageContaining("must be an executable file");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ServerList.parse(directory.resolve("empty").toString()))
        .withMessageContaining("must hold a launcher called server");
  }
}
