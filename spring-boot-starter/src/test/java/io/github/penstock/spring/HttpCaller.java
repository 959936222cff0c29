package io.github.penstock.spring;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;

/** Calls a service, one request after the other. */
public record HttpCaller(int port, HttpClient http) {
  public HttpCaller(int port) {
    this(port, HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build());
  }

  /** The response to a GET; headers are names and values in turn. */
  public HttpResponse<String> get(String path, String... headers) {
    return send("GET", path, headers);
  }

  public HttpResponse<String> send(String method, String path, String... headers) {
    return send(method, path, BodyPublishers.noBody(), headers);
  }

  public HttpResponse<String> post(String path, String json) {
    return send("POST", path, BodyPublishers.ofString(json), "Content-Type", "application/json");
  }

  private HttpResponse<String> send(
      String method, String path, BodyPublisher body, String... headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path)).method(method, body);
    if (headers.length > 0) {
      request.headers(headers);
    }
    try {
      return http.send(request.build(), BodyHandlers.ofString());
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  public static String field(HttpResponse<?> response, String name) {
    return String.join(" and ", response.headers().allValues(name));
  }
}
