package io.github.penstock.core.spi.connecting;

import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.io.IOException;
import java.io.InputStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ClientVersionTest {
  /** A client, as the class loader of the test defines it. */
  public static class SomeClient {
    /** Takes what may be missing. */
    public void take(MissingType type) {}
  }

  /** What may be missing. */
  public interface MissingType {}

  private static final class LackingLoader extends ClassLoader {
    LackingLoader() {
      super(ClientVersionTest.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (name.equals(MissingType.class.getName())) {
        throw new ClassNotFoundException(name);
      }
      return name.equals(SomeClient.class.getName()) ? own(name) : super.loadClass(name, resolve);
    }

    private Class<?> own(String name) throws ClassNotFoundException {
      Class<?> loaded = findLoadedClass(name);
      if (loaded != null) {
        return loaded;
      }
      String file = name.replace('.', '/') + ".class";
      try (InputStream in = getParent().getResourceAsStream(file)) {
        byte[] bytes = in.readAllBytes();
        return defineClass(name, bytes, 0, bytes.length);
      } catch (IOException e) {
        throw new ClassNotFoundException(name, e);
      }
    }
  }

  @Test
  @DisplayName("a client whose own classes are missing, as on the module path, gives one sentence")
  void lacking() throws Exception {
    String name = SomeClient.class.getName();
    ClientVersion.require("Client 1", "a version", SomeClient.class, name + "#take");
    Class<?> lacking = new LackingLoader().loadClass(name);
    assertThatIllegalStateException()
        .isThrownBy(() -> ClientVersion.require("Client 1", "a version", lacking, name + "#take"))
        .withMessageStartingWith("Penstock needs Client 1 and its dependencies")
        .withMessageContaining(MissingType.class.getName())
        .withMessageContaining("--add-modules ALL-MODULE-PATH,jdk.net");
  }
}
