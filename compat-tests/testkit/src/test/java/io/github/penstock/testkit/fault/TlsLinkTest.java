package io.github.penstock.testkit.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.penstock.testkit.resp.RespConnection;
import io.github.penstock.testkit.server.EmbeddedServer;
import io.github.penstock.testkit.server.ServerProcess;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import javax.net.SocketFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TlsLinkTest {
  private static final byte[] PING = "*1\r\n$4\r\nPING\r\n".getBytes(StandardCharsets.US_ASCII);

  @Test
  @DisplayName("a client that trusts the certificate talks to the server, others do not")
  void trusted(@TempDir Path directory) throws Exception {
    LocalCertificate certificate = LocalCertificate.make();
    SSLSocketFactory trusting = trusting(certificate.writePem(directory));
    try (ServerProcess server = new EmbeddedServer().start();
        FaultProxy proxy = FaultProxy.before(server.url(), certificate)) {
      try (Socket socket = connect(proxy, trusting)) {
        socket.getOutputStream().write(PING);
        assertThat(socket.getInputStream().readNBytes(7)).asString().isEqualTo("+PONG\r\n");
      }
      assertThatThrownBy(() -> connect(proxy, SSLSocketFactory.getDefault()))
          .isInstanceOf(SSLHandshakeException.class);
      assertThatThrownBy(
              () -> RespConnection.open(proxy.url(), Duration.ofSeconds(30)).call("PING"))
          .isInstanceOf(UncheckedIOException.class);
    }
  }

  private static SSLSocketFactory trusting(Path pem) throws Exception {
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    try (InputStream in = Files.newInputStream(pem)) {
      Certificate read = CertificateFactory.getInstance("X.509").generateCertificate(in);
      trusted.setCertificateEntry("server", read);
    }
    TrustManagerFactory managers =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    managers.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, managers.getTrustManagers(), null);
    return context.getSocketFactory();
  }

  private static Socket connect(FaultProxy proxy, SocketFactory factory) throws IOException {
    SSLSocket socket = (SSLSocket) factory.createSocket(proxy.url().host(), proxy.url().port());
    socket.startHandshake();
    return socket;
  }
}
