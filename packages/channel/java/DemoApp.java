import dev.fairlead.channel.XpcService;
import java.util.Map;

/** An app in Java for the tests. */
public final class DemoApp {
  public static void main(String[] arguments) throws Exception {
    XpcService xpc = XpcService.open();
    if (xpc == null) {
      System.out.println("not under test");
      return;
    }
    xpc.on("echo", content -> content);
    xpc.on("descend", depth -> {
      long level = (Long) depth;
      return level == 0 ? 0L : (Long) xpc.send("descend", level - 1, 5000) + 1;
    });
    xpc.on("fail", content -> {
      throw new IllegalStateException("out of the JVM");
    });
    xpc.on("say", count -> {
      for (long index = 0; index < (Long) count; index++) xpc.post("said", Map.of("index", index));
      return null;
    });
    xpc.on("askAsync", content -> xpc.send("asyncInTest", null, 5000));
    xpc.serve();
  }
}
