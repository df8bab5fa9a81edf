package dev.fairlead.channel;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;

/** Runs the vectors of PROTOCOL.md, whose path is the argument. Prints how many passed, and each one that failed. */
public final class Vectors {
  public static void main(String[] arguments) throws Exception {
    String page = Files.readString(Path.of(arguments[0]));
    String block = page.split("```vectors\n")[1].split("\n```")[0];
    int passed = 0;
    int failed = 0;
    for (String line : block.split("\n")) {
      String[] fields = Arrays.stream(line.split("\\|", -1)).map(String::strip).toArray(String[]::new);
      if (passes(fields)) {
        passed++;
      } else {
        failed++;
        System.out.println("failed: " + line);
      }
    }
    System.out.println(passed + " passed, " + failed + " failed");
    System.exit(failed == 0 ? 0 : 1);
  }

  private static boolean passes(String[] fields) throws Exception {
    byte[] bytes = HexFormat.of().parseHex(fields[2]);
    if (fields[0].equals("frame")) return passesFrame(fields, bytes);
    List<Frame> frames = new ArrayList<>();
    List<Long> acks = new ArrayList<>();
    try {
      // The stream is read in one piece and then byte by byte.
      new Frame.Reader(acks::add).read(bytes, bytes.length, frames);
      Frame.Reader slow = new Frame.Reader(ack -> {});
      for (byte next : bytes) slow.read(new byte[] {next}, 1, new ArrayList<>());
    } catch (ProtocolException error) {
      return fields[0].equals("bad");
    }
    String kinds = frames.stream().map(frame -> String.valueOf(frame.kind())).collect(Collectors.joining(" "));
    String counts = acks.stream().map(String::valueOf).collect(Collectors.joining(" "));
    return fields[0].equals("stream") && kinds.equals(fields[3]) && counts.equals(fields[4]);
  }

  private static boolean passesFrame(String[] fields, byte[] bytes) throws Exception {
    String[] numbers = fields[3].split(" ");
    List<Object> attachments = new ArrayList<>();
    for (String part : fields[6].isEmpty() ? new String[0] : fields[6].split(" ")) {
      byte[] data = part.equals("-") ? new byte[0] : HexFormat.of().parseHex(part.replace("\"", ""));
      attachments.add(part.startsWith("\"") ? (Object) new String(data, StandardCharsets.UTF_8) : data);
    }
    int kind = Integer.parseInt(numbers[0]);
    int id = Integer.parseUnsignedInt(numbers[2]);
    int parent = Integer.parseUnsignedInt(numbers[3]);
    Frame frame = new Frame(kind, numbers[1].equals("1"), id, parent, fields[4], fields[5], attachments);
    if (!Arrays.equals(frame.toBytes(), bytes)) return false;
    Frame read = Frame.parse(Arrays.copyOfRange(bytes, 4, bytes.length));
    return Arrays.equals(read.toBytes(), bytes) && read.text().equals(fields[5]) && read.name().equals(fields[4]);
  }
}
