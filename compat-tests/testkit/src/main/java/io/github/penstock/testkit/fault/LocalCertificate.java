package io.github.penstock.testkit.fault;

import io.github.penstock.testkit.server.TemporaryFiles;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/**
 * A certificate of {@code localhost} that signs itself, made by the JDK's keytool. It is trusted
 * only by clients that are configured to trust it.
 */
public final class LocalCertificate {
  private static final String ALIAS = "server";
  private static final String PASSWORD = "penstock";

  private final KeyStore keys;

  private LocalCertificate(KeyStore keys) {
    this.keys = keys;
  }

  /**
   * Makes a certificate, which takes about a second.
   *
   * @throws IllegalStateException if that fails
   */
  public static LocalCertificate make() {
    try {
      Path directory = Files.createTempDirectory("penstock-certificate");
      try {
        generate(directory);
        return new LocalCertificate(read(directory));
      } finally {
        TemporaryFiles.delete(directory);
      }
    } catch (IOException | GeneralSecurityException failure) {
      throw new IllegalStateException("no certificate was made", failure);
    }
  }

  private static KeyStore read(Path directory) throws IOException, GeneralSecurityException {
    try (InputStream in = Files.newInputStream(file(directory))) {
      KeyStore keys = KeyStore.getInstance("PKCS12");
      keys.load(in, PASSWORD.toCharArray());
      return keys;
    }
  }

  private static Path file(Path directory) {
    return directory.resolve("keys.p12");
  }

  private static void generate(Path directory) throws IOException {
    String keytool = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
    String line =
        "-genkeypair -alias %s -keyalg EC -dname CN=localhost -ext SAN=dns:localhost -validity 2"
            .formatted(ALIAS);
    List<String> command = new ArrayList<>(List.of(keytool));
    command.addAll(List.of(line.split(" ")));
    command.addAll(List.of("-storetype", "PKCS12", "-storepass", PASSWORD));
    command.addAll(List.of("-keystore", file(directory).toString()));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.onExit().join().exitValue() != 0) {
      throw new IOException("keytool says " + said);
    }
  }

  /** Writes the certificate, for clients that should trust it, into a file of this directory. */
  public Path writePem(Path directory) throws IOException {
    try {
      byte[] certificate = keys.getCertificate(ALIAS).getEncoded();
      String lines = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(certificate);
      return Files.writeString(
          directory.resolve("ca.pem"),
          "-----BEGIN CERTIFICATE-----\n" + lines + "\n-----END CERTIFICATE-----\n");
    } catch (GeneralSecurityException failure) {
      throw new IllegalStateException(failure);
    }
  }

  /** The key store with which a server presents this certificate. */
  SSLContext context() {
    try {
      KeyManagerFactory managers =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      managers.init(keys, PASSWORD.toCharArray());
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(managers.getKeyManagers(), null, null);
      return context;
    } catch (GeneralSecurityException failure) {
      throw new IllegalStateException(failure);
    }
  }
}
