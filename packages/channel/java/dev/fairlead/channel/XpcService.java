package dev.fairlead.channel;

import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The channel's app side for a JVM, over the descriptors in FAIRLEAD_XPC, without dependencies besides the JDK.
 * Handlers run one after the other on the thread that calls {@link #serve}. A blocking {@link #send} from a handler
 * handles other messages on its own stack while it waits.
 */
public final class XpcService {
  /** Handles one message: receives its content and returns its answer. */
  public interface Handler {
    Object handle(Object content) throws Exception;
  }

  private static final int VERSION = 1;
  private static final int WINDOW = (System.getProperty("os.name").equals("Linux") ? 28 : 16) * 1024 - 64;
  private static final int ACK_THRESHOLD = WINDOW / 2;
  /** A piece fits into the window in addition to all bytes that a reader may leave unacknowledged. */
  private static final int MAX_PIECE = WINDOW / 2 - 64;

  private final InputStream input;
  private final OutputStream output;
  private final Map<String, Handler> handlers = new ConcurrentHashMap<>();
  private final Map<Integer, Frame> answers = new HashMap<>();
  private final Deque<Frame> waiting = new ArrayDeque<>();
  private final Deque<Integer> blockedOn = new ArrayDeque<>();
  private final Object inbox = new Object();
  private final Object outbox = new Object();
  private final Object frameLock = new Object();
  private long written;
  private long acknowledged;
  private long received;
  private long told;
  private int lastId;
  private int handling;
  private volatile boolean takesTexts;
  private String end;

  private XpcService(InputStream input, OutputStream output) {
    this.input = input;
    this.output = output;
    List<String> kinds =
        List.of(
            "contacts", "location", "media", "eventKit", "userNotificationSettings", "photoLibrary", "healthKit");
    for (String kind : kinds) {
      on("$auth." + kind, subject -> "unavailable");
    }
  }

  /** Returns the service, or null if the app does not run under test. */
  public static XpcService open() throws IOException {
    String address = System.getenv("FAIRLEAD_XPC");
    if (address == null || !address.matches("fd:\\d{1,9},\\d{1,9}")) return null;
    String[] descriptors = address.substring(3).split(",");
    InputStream input = new FileInputStream("/dev/fd/" + descriptors[0]);
    OutputStream output = new FileOutputStream("/dev/fd/" + descriptors[1]);
    XpcService service = new XpcService(input, output);
    Map<String, Object> greeting = new LinkedHashMap<>();
    greeting.put("version", VERSION);
    greeting.put("pid", ProcessHandle.current().pid());
    greeting.put("runtime", "java " + System.getProperty("java.version"));
    greeting.put("texts", true);
    service.write(Frame.HELLO, false, 0, 0, "", Json.write(greeting, List.of(), false), List.of());
    Thread reader = new Thread(service::read, "fairlead-reader");
    reader.setDaemon(true);
    reader.start();
    return service;
  }

  public void on(String name, Handler handler) {
    if (handlers.put(name, handler) != null && !name.startsWith("$")) throw new XpcException("duplicateHandler", name);
  }

  /** Sends READY and answers messages until the test is gone. */
  public void serve() throws InterruptedException {
    write(Frame.READY, false, 0, 0, "", "", List.of());
    for (Frame frame = next(0, Long.MAX_VALUE); frame != null; frame = next(0, Long.MAX_VALUE)) handle(frame);
  }

  /** Sends a message without waiting for an answer. */
  public void post(String name, Object content) {
    List<Object> attachments = new ArrayList<>();
    String text = content == null ? "" : Json.write(content, attachments, takesTexts);
    write(Frame.POST, false, 0, handling, name, text, attachments);
  }

  /** Sends a message to the test and blocks until it is answered. Must be called on the thread that serves. */
  public Object send(String name, Object content, long timeoutMillis) throws InterruptedException {
    List<Object> attachments = new ArrayList<>();
    String text = content == null ? "" : Json.write(content, attachments, takesTexts);
    int id = ++lastId;
    long deadline = System.nanoTime() + timeoutMillis * 1_000_000;
    blockedOn.push(id);
    try {
      write(Frame.REQUEST, true, id, handling, name, text, attachments);
      for (Frame frame = next(id, deadline); frame != null; frame = next(id, deadline)) handle(frame);
    } finally {
      blockedOn.pop();
    }
    Frame answer;
    synchronized (inbox) {
      answer = answers.remove(id);
      if (answer == null && end != null) throw new XpcException("connectionLost", end);
    }
    if (answer == null) {
      write(Frame.CANCEL, false, id, 0, "", "", List.of());
      throw new XpcException("timeout", name + " was not answered within " + timeoutMillis + " ms");
    }
    Object value = Json.parse(answer.text(), answer.attachments());
    if (answer.kind() == Frame.RESPONSE) return value;
    Map<?, ?> failure = (Map<?, ?>) value;
    throw new XpcException(String.valueOf(failure.get("code")), name + ": " + failure.get("detail"));
  }

  /** Returns the next message to handle, or null once `awaited` is answered, the time is over or the test is gone. */
  private Frame next(int awaited, long deadline) throws InterruptedException {
    synchronized (inbox) {
      for (;;) {
        if (awaited != 0 && answers.containsKey(awaited)) return null;
        Frame frame = waiting.poll();
        if (frame != null) return frame;
        if (end != null) return null;
        if (deadline == Long.MAX_VALUE) {
          inbox.wait();
        } else {
          long left = (deadline - System.nanoTime()) / 1_000_000;
          if (left <= 0) return null;
          inbox.wait(left);
        }
      }
    }
  }

  private void handle(Frame frame) {
    Handler handler = handlers.get(frame.name());
    boolean isRequest = frame.kind() == Frame.REQUEST;
    if (handler == null) {
      if (isRequest) fail(frame, "noHandler", "", null);
      return;
    }
    int outer = handling;
    handling = frame.id();
    try {
      Object answer = handler.handle(Json.parse(frame.text(), frame.attachments()));
      List<Object> attachments = new ArrayList<>();
      String text = answer == null ? "" : Json.write(answer, attachments, takesTexts);
      if (isRequest) write(Frame.RESPONSE, false, frame.id(), 0, "", text, attachments);
    } catch (InterruptedException error) {
      Thread.currentThread().interrupt();
    } catch (Exception error) {
      if (isRequest) fail(frame, "handlerFailed", String.valueOf(error.getMessage()), error);
      else error.printStackTrace();
    } finally {
      handling = outer;
    }
  }

  private void fail(Frame frame, String code, String detail, Exception error) {
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("code", code);
    body.put("detail", detail);
    String text = Json.write(body, List.of(), false);
    if (error != null) {
      StringWriter stack = new StringWriter();
      error.printStackTrace(new PrintWriter(stack));
      Map<String, Object> remote = new LinkedHashMap<>();
      remote.put("name", error.getClass().getSimpleName());
      remote.put("message", detail);
      remote.put("stack", stack.toString());
      // The key of a tag must not be escaped.
      String tag = "{\"$\":[\"Error\"," + Json.write(remote, List.of(), false) + "]}";
      text = text.substring(0, text.length() - 1) + ",\"remote\":" + tag + "}";
    }
    write(Frame.ERROR, false, frame.id(), 0, "", text, List.of());
  }

  private void read() {
    Frame.Reader reader = new Frame.Reader(this::acknowledge);
    byte[] bytes = new byte[64 * 1024];
    List<Frame> frames = new ArrayList<>();
    String reason = "the test is gone";
    boolean isGreeted = false;
    try {
      for (int length = input.read(bytes); length > 0; length = input.read(bytes)) {
        reader.read(bytes, length, frames);
        for (Frame frame : frames) {
          if (isGreeted) accept(frame);
          else greet(frame);
          isGreeted = true;
        }
        frames.clear();
        acknowledgeIfDue(length);
      }
    } catch (IOException | ProtocolException | RuntimeException error) {
      reason = String.valueOf(error.getMessage());
    }
    synchronized (inbox) {
      end = reason;
      inbox.notifyAll();
    }
    synchronized (outbox) {
      acknowledged = Long.MAX_VALUE;
      outbox.notifyAll();
    }
  }

  private void greet(Frame frame) throws ProtocolException {
    if (frame.kind() != Frame.HELLO) throw new ProtocolException("a frame before HELLO");
    Map<?, ?> greeting = Json.parse(frame.text(), List.of()) instanceof Map<?, ?> map ? map : Map.of();
    Object version = greeting.get("version");
    if (!Long.valueOf(VERSION).equals(version)) {
      throw new ProtocolException("it speaks version " + version + ", this side version " + VERSION);
    }
    takesTexts = Boolean.TRUE.equals(greeting.get("texts"));
  }

  private void accept(Frame frame) {
    synchronized (inbox) {
      switch (frame.kind()) {
        case Frame.REQUEST, Frame.POST -> waiting.add(frame);
        case Frame.RESPONSE, Frame.ERROR -> {
          // This is a late answer, and its request has already failed.
          if (blockedOn.contains(frame.id())) answers.put(frame.id(), frame);
        }
        default -> {}
      }
      inbox.notifyAll();
    }
  }

  private void write(
      int kind, boolean blocked, int id, int parent, String name, String text, List<Object> attachments) {
    try {
      byte[] bytes = new Frame(kind, blocked, id, parent, name, text, attachments).toBytes();
      // Frames of different threads must not mix; only acknowledgements may be written in between.
      synchronized (frameLock) {
        for (int at = 0; at < bytes.length; at += MAX_PIECE) {
          writePacket(bytes, at, Math.min(bytes.length - at, MAX_PIECE));
        }
      }
    } catch (ProtocolException error) {
      throw new XpcException("encoding", error.getMessage());
    } catch (IOException error) {
      throw new XpcException("connectionLost", String.valueOf(error.getMessage()));
    } catch (InterruptedException error) {
      Thread.currentThread().interrupt();
      throw new XpcException("cancelled", name);
    }
  }

  private void writePacket(byte[] bytes, int at, int size) throws IOException, InterruptedException {
    synchronized (outbox) {
      while (written - acknowledged + size + 4 > WINDOW) outbox.wait();
      ByteBuffer packet = ByteBuffer.allocate(size + 4).order(ByteOrder.LITTLE_ENDIAN);
      put(packet.putInt(size).put(bytes, at, size).array());
    }
  }

  private void acknowledge(long count) throws ProtocolException {
    synchronized (outbox) {
      if (count < acknowledged || count > written) {
        throw new ProtocolException(count + " bytes acknowledged of " + written);
      }
      acknowledged = count;
      outbox.notifyAll();
    }
  }

  private void acknowledgeIfDue(int length) throws IOException {
    synchronized (outbox) {
      received += length;
      if (received - told < ACK_THRESHOLD) return;
      ByteBuffer ack = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
      put(ack.putInt((int) (received >>> 32) | 0x80000000).putInt((int) received).array());
      told = received;
    }
  }

  private void put(byte[] bytes) throws IOException {
    output.write(bytes);
    written += bytes.length;
  }
}
