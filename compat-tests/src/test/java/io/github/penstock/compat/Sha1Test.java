package io.github.penstock.compat;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.github.penstock.scripts.FunctionsLibrary;
import io.github.penstock.scripts.LuaScript;
import io.github.penstock.testkit.resp.RespConnection;
import io.github.penstock.testkit.server.TestServer;
import io.github.penstock.testkit.server.TestServers;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** A script is what its SHA1 says, wherever that is stated. */
class Sha1Test {

  @ParameterizedTest
  @EnumSource
  @DisplayName("SHA1 of the shipped file = Java constant = both manifests")
  void files(LuaScript script) throws Exception {
    String name = script.scriptName();
    assertThat(sha1(resource("minified/" + name + ".min.lua"))).isEqualTo(script.sha1());
    assertThat(sha1(resource("readable/" + name + ".lua"))).isEqualTo(script.readableSha1());
    assertThat(resource("minified/" + name + ".min.lua.sha1")).startsWith(script.sha1());
    assertThat(resource("readable/" + name + ".lua.sha1")).startsWith(script.readableSha1());
    assertThat(resource("manifest.json")).contains(script.sha1(), script.readableSha1());
    JsonObject kept = keptManifest().getAsJsonObject("scripts").getAsJsonObject(name);
    assertThat(kept.get("sha1").getAsString()).isEqualTo(script.sha1());
    assertThat(kept.get("readable_sha1").getAsString()).isEqualTo(script.readableSha1());
  }

  @Test
  @DisplayName("SHA1 of the Functions library = Java constant = both manifests")
  void library() throws Exception {
    assertThat(sha1(resource("functions/penstock_1.lua"))).isEqualTo(FunctionsLibrary.SHA1);
    assertThat(resource("manifest.json")).contains(FunctionsLibrary.SHA1);
    JsonObject kept = keptManifest().getAsJsonObject("functions_library");
    assertThat(kept.get("sha1").getAsString()).isEqualTo(FunctionsLibrary.SHA1);
  }

  static Stream<Arguments> serversAndScripts() {
    return TestServers.all().stream()
        .flatMap(
            server -> Stream.of(LuaScript.values()).map(script -> Arguments.of(server, script)));
  }

  @ParameterizedTest
  @MethodSource("serversAndScripts")
  @DisplayName("SHA1 that the server itself answers to SCRIPT LOAD = Java constant")
  void server(TestServer server, LuaScript script) {
    try (RespConnection connection = server.connect()) {
      assertThat(connection.call("SCRIPT", "LOAD", script.source())).isEqualTo(script.sha1());
      assertThat(connection.call("SCRIPT", "LOAD", script.readableSource()))
          .isEqualTo(script.readableSha1());
    }
  }

  private static String resource(String name) throws IOException {
    try (InputStream in = LuaScript.class.getResourceAsStream(name)) {
      assertThat(in).as(name).isNotNull();
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static JsonObject keptManifest() throws IOException {
    String text = Files.readString(Path.of("..", "lua", "manifest.json"));
    return JsonParser.parseString(text).getAsJsonObject();
  }

  private static String sha1(String text) throws Exception {
    byte[] digest =
        MessageDigest.getInstance("SHA-1").digest(text.getBytes(StandardCharsets.UTF_8));
    return HexFormat.of().formatHex(digest);
  }
}
