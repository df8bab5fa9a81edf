package dev.fairlead.channel;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * One frame as docs/PROTOCOL.md specifies it. The text is JSON, or empty if there is no body. An attachment is a
 * byte[], or a String if the reader accepts text attachments.
 */
public record Frame(int kind, boolean blocked, int id, int parent, String name, String text, List<Object> attachments) {
  public static final int HELLO = 1;
  public static final int REQUEST = 2;
  public static final int RESPONSE = 3;
  public static final int ERROR = 4;
  public static final int POST = 5;
  public static final int CANCEL = 6;
  public static final int READY = 7;
  public static final int BYE = 8;

  static final int HEADER_SIZE = 12;
  static final int MAX_SIZE = 64 * 1024 * 1024;
  static final int MAX_NAME_SIZE = 1024;
  static final int MAX_ATTACHMENTS = 65_536;
  private static final int BLOCKED = 0x80;
  /** Flag in the length of an attachment that is a text. */
  private static final int TEXT = 0x80000000;

  /** Returns the bytes of the frame, starting with its length. */
  public byte[] toBytes() throws ProtocolException {
    byte[] nameBytes = name.getBytes(StandardCharsets.UTF_8);
    byte[] textBytes = text.getBytes(StandardCharsets.UTF_8);
    long size = HEADER_SIZE + (long) nameBytes.length + textBytes.length;
    int encoding = text.isEmpty() ? 0 : textBytes.length == text.length() ? 2 : 1;
    List<byte[]> parts = new ArrayList<>();
    if (!attachments.isEmpty()) {
      encoding = attachments.stream().anyMatch(String.class::isInstance) ? 4 : 3;
      size += 4 + 4L * attachments.size();
      for (Object attachment : attachments) {
        parts.add(attachment instanceof String part ? part.getBytes(StandardCharsets.UTF_8) : (byte[]) attachment);
        size += parts.get(parts.size() - 1).length;
      }
    }
    if (size > MAX_SIZE || nameBytes.length > MAX_NAME_SIZE) {
      throw new ProtocolException("a frame of " + size + " bytes");
    }
    ByteBuffer out = ByteBuffer.allocate((int) size + 4).order(ByteOrder.LITTLE_ENDIAN);
    out.putInt((int) size).put((byte) kind).put((byte) (blocked ? encoding | BLOCKED : encoding));
    out.putShort((short) nameBytes.length).putInt(id).putInt(parent).put(nameBytes);
    if (encoding >= 3) {
      out.putInt(parts.size());
      for (int index = 0; index < parts.size(); index++) {
        out.putInt(parts.get(index).length | (attachments.get(index) instanceof String ? TEXT : 0));
      }
      for (byte[] part : parts) out.put(part);
    }
    return out.put(textBytes).array();
  }

  /** Parses the bytes of a frame after its length. */
  static Frame parse(byte[] bytes) throws ProtocolException {
    ByteBuffer in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    int kind = in.get();
    int flags = in.get() & 0xff;
    int nameSize = in.getShort() & 0xffff;
    int id = in.getInt();
    int parent = in.getInt();
    if (kind < HELLO || kind > BYE) throw new ProtocolException("a frame of unknown kind " + kind);
    if (nameSize > MAX_NAME_SIZE) throw new ProtocolException("a name of " + nameSize + " bytes");
    if (nameSize > in.remaining()) throw new ProtocolException("a name that runs past its frame");
    String name = readText(in, nameSize);
    List<Object> attachments = new ArrayList<>();
    int encoding = flags & ~BLOCKED;
    if (encoding == 3 || encoding == 4) readAttachments(in, encoding == 4, attachments);
    if (encoding > 4) throw new ProtocolException("unknown body encoding " + encoding);
    if ((encoding == 0) == in.hasRemaining()) throw new ProtocolException("a body that is not as it says");
    if (encoding == 2) {
      for (int at = in.position(); at < bytes.length; at++) {
        if (bytes[at] < 0) throw new ProtocolException("a body that is not ASCII as it says");
      }
    }
    String text = readText(in, in.remaining());
    return new Frame(kind, (flags & BLOCKED) != 0, id, parent, name, text, List.copyOf(attachments));
  }

  private static void readAttachments(ByteBuffer in, boolean mayBeTexts, List<Object> attachments)
      throws ProtocolException {
    if (in.remaining() < 4) throw new ProtocolException("attachments without a count");
    int count = in.getInt();
    if (count < 0 || count > MAX_ATTACHMENTS || count * 4L > in.remaining()) {
      throw new ProtocolException(Integer.toUnsignedString(count) + " attachments");
    }
    int[] lengths = new int[count];
    for (int index = 0; index < count; index++) lengths[index] = in.getInt();
    for (int length : lengths) {
      boolean isText = mayBeTexts && length < 0;
      int size = isText ? length & ~TEXT : length;
      if (size < 0 || size > in.remaining()) throw new ProtocolException("an attachment that runs past its frame");
      if (isText) {
        attachments.add(readText(in, size));
        continue;
      }
      byte[] attachment = new byte[size];
      in.get(attachment);
      attachments.add(attachment);
    }
  }

  private static String readText(ByteBuffer in, int size) throws ProtocolException {
    ByteBuffer text = in.slice().limit(size);
    in.position(in.position() + size);
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .onMalformedInput(CodingErrorAction.REPORT)
          .onUnmappableCharacter(CodingErrorAction.REPORT)
          .decode(text)
          .toString();
    } catch (CharacterCodingException cause) {
      throw new ProtocolException("text that is not UTF-8");
    }
  }

  /** Converts received bytes to frames and acknowledgements. */
  static final class Reader {
    interface Acknowledged {
      void accept(long received) throws ProtocolException;
    }

    private static final int MAX_PACKET_SIZE = 64 * 1024;
    private final Acknowledged onAck;
    private final byte[] header = new byte[8];
    private int headerSize;
    private int packetLeft;
    private final ByteArrayOutputStream partial = new ByteArrayOutputStream();
    private int wanted = 4;
    private boolean hasLength;

    Reader(Acknowledged onAck) {
      this.onAck = onAck;
    }

    void read(byte[] bytes, int length, List<Frame> frames) throws ProtocolException {
      int at = 0;
      while (at < length) {
        if (packetLeft == 0) {
          header[headerSize++] = bytes[at++];
          if (headerSize == 4 || headerSize == 8) openPacket();
          continue;
        }
        int taken = Math.min(Math.min(packetLeft, wanted), length - at);
        partial.write(bytes, at, taken);
        at += taken;
        packetLeft -= taken;
        wanted -= taken;
        if (wanted == 0) finish(frames);
      }
    }

    private void openPacket() throws ProtocolException {
      ByteBuffer words = ByteBuffer.wrap(header).order(ByteOrder.LITTLE_ENDIAN);
      int word = words.getInt();
      if (word < 0 && headerSize == 4) return;
      headerSize = 0;
      if (word < 0) {
        onAck.accept(((word & 0x7fffffffL) << 32) | (words.getInt() & 0xffffffffL));
      } else {
        if (word == 0 || word > MAX_PACKET_SIZE) throw new ProtocolException("a packet of " + word + " bytes");
        packetLeft = word;
      }
    }

    private void finish(List<Frame> frames) throws ProtocolException {
      byte[] bytes = partial.toByteArray();
      partial.reset();
      if (hasLength) {
        frames.add(parse(bytes));
        wanted = 4;
      } else {
        wanted = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getInt();
        if (wanted < HEADER_SIZE || wanted > MAX_SIZE) {
          throw new ProtocolException("a frame of " + Integer.toUnsignedString(wanted) + " bytes");
        }
      }
      hasLength = !hasLength;
    }
  }
}
