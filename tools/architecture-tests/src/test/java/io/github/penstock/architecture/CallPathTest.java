package io.github.penstock.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.jdi.Bootstrap;
import com.sun.jdi.Location;
import com.sun.jdi.ReferenceType;
import com.sun.jdi.StackFrame;
import com.sun.jdi.ThreadReference;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.connect.Connector;
import com.sun.jdi.connect.LaunchingConnector;
import com.sun.jdi.event.BreakpointEvent;
import com.sun.jdi.event.ClassPrepareEvent;
import com.sun.jdi.event.Event;
import com.sun.jdi.event.EventSet;
import com.sun.jdi.event.MethodEntryEvent;
import com.sun.jdi.request.ClassPrepareRequest;
import com.sun.jdi.request.EventRequest;
import com.sun.jdi.request.MethodEntryRequest;
import io.github.penstock.testkit.server.EmbeddedServer;
import io.github.penstock.testkit.server.ServerProcess;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Counts the way of a call: a debugger watches a warm call on a real server, from the application's
 * call to the method of the client that takes it. It counts our frames on the stack there, and our
 * classes of which the thread has entered a method until then.
 */
class CallPathTest {
  private static final String HOUSE = "io.github.penstock.";
  private static final String HERE = HOUSE + "architecture.";

  @AutoClose private static final ServerProcess server = new EmbeddedServer().start();

  private final Set<String> classes = new TreeSet<>();
  private List<String> frames = List.of();

  @ParameterizedTest(name = "{0}, asynchronous: {1}")
  @DisplayName("the way of a call grows no longer")
  @CsvSource({
    "Jedis, redis.clients.*, sendCommand, false, 11, 31",
    "Lettuce, io.lettuce.*, dispatch, false, 11, 32",
    "Lettuce, io.lettuce.*, dispatch, true, 12, 33",
    "Redisson, org.redisson.*, evalShaAsync, false, 12, 31",
    "Redisson, org.redisson.*, evalShaAsync, true, 13, 32",
    "GLIDE, glide.*, customCommand, false, 9, 28",
    "GLIDE, glide.*, customCommand, true, 10, 29"
  })
  void staysAsShort(
      String client, String packages, String taking, boolean async, int mostFrames, int mostClasses)
      throws Exception {
    String uri = server.url().toString();
    VirtualMachine program =
        launch(String.join(" ", WarmCall.class.getName(), client, String.valueOf(async), uri));
    try {
      watch(program, packages, taking);
    } finally {
      program.process().destroyForcibly();
    }
    System.out.printf(
        "%s, asynchronous: %s: %d frames, %d classes%n",
        client, async, frames.size(), classes.size());
    assertThat(frames).hasSizeBetween(1, mostFrames);
    assertThat(classes).hasSizeBetween(1, mostClasses);
  }

  private static VirtualMachine launch(String main) throws Exception {
    LaunchingConnector launcher = Bootstrap.virtualMachineManager().defaultConnector();
    Map<String, Connector.Argument> arguments = launcher.defaultArguments();
    arguments.get("main").setValue(main);
    arguments.get("options").setValue("-cp \"" + System.getProperty("java.class.path") + '"');
    return launcher.launch(arguments);
  }

  private void watch(VirtualMachine program, String packages, String taking) throws Exception {
    ClassPrepareRequest prepared = program.eventRequestManager().createClassPrepareRequest();
    prepared.addClassFilter(WarmCall.class.getName());
    prepared.enable();
    while (frames.isEmpty()) {
      EventSet events = program.eventQueue().remove();
      for (Event event : events) {
        if (event instanceof ClassPrepareEvent loaded) {
          Location begin = loaded.referenceType().methodsByName("watched").get(0).location();
          program.eventRequestManager().createBreakpointRequest(begin).enable();
        } else if (event instanceof BreakpointEvent reached) {
          entries(program, HOUSE + "*", reached.thread());
          entries(program, packages, reached.thread());
        } else if (event instanceof MethodEntryEvent entry) {
          entered(entry, taking);
        }
      }
      events.resume();
    }
  }

  private void entered(MethodEntryEvent entry, String taking) throws Exception {
    String owner = entry.method().declaringType().name();
    if (isOurs(owner)) {
      classes.add(owner);
    } else if (entry.method().name().equals(taking)) {
      frames = frames(entry.thread());
    }
  }

  private static void entries(VirtualMachine program, String of, ThreadReference thread) {
    MethodEntryRequest request = program.eventRequestManager().createMethodEntryRequest();
    request.addClassFilter(of);
    request.addThreadFilter(thread);
    request.setSuspendPolicy(EventRequest.SUSPEND_EVENT_THREAD);
    request.enable();
  }

  private static List<String> frames(ThreadReference thread) throws Exception {
    List<String> ours = new ArrayList<>();
    for (StackFrame frame : thread.frames()) {
      ReferenceType owner = frame.location().declaringType();
      if (isOurs(owner.name())) {
        ours.add(owner.name().replaceAll(".*\\.", "") + "." + frame.location().method().name());
      }
    }
    return ours;
  }

  /* The object of a lambda is none of our classes; its code is in one. */
  private static boolean isOurs(String name) {
    return name.startsWith(HOUSE) && !name.startsWith(HERE) && !name.contains("$$Lambda");
  }
}
