package io.github.penstock.spring.configure;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.github.penstock.spring.internal.settings.PenstockProperties;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What an IDE completes. */
class PropertyMetadataTest {
  @Test
  @DisplayName(
      "every property has a description and stands on the page; the values of choices are hints")
  void properties() throws IOException {
    JsonObject metadata = metadata();
    String page = Files.readString(Path.of("..", "docs", "spring.md"));
    JsonArray properties = metadata.getAsJsonArray("properties");
    assertThat(properties).hasSizeGreaterThan(10);
    for (JsonElement each : properties) {
      JsonObject property = each.getAsJsonObject();
      String name = property.get("name").getAsString();
      if (!name.startsWith("management.")) { // Boot's own, of the endpoint
        assertThat(property.has("description")).as(name).isTrue();
        String last = name.substring(name.lastIndexOf('.') + 1);
        assertThat(page).as(name).containsAnyOf("`" + name, "`." + last, "`" + last + "`");
      }
    }
    assertThat(metadata.getAsJsonArray("hints").toString())
        .contains("penstock.on-unavailable", "penstock.on-overload", "\"allow\"");
  }

  private static JsonObject metadata() throws IOException {
    InputStream file =
        PenstockProperties.class.getResourceAsStream(
            "/META-INF/spring-configuration-metadata.json");
    try (InputStreamReader reader =
        new InputStreamReader(Objects.requireNonNull(file), StandardCharsets.UTF_8)) {
      return JsonParser.parseReader(reader).getAsJsonObject();
    }
  }
}
