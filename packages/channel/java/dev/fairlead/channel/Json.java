package dev.fairlead.channel;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Converts values to and from JSON. Map, List, String, Boolean, Long, Double and null are plain JSON. BigInteger,
 * Instant and byte[] are tagged, and so is a long text if the reader accepts text attachments. A tag of another kind
 * is read as a Map. Undefined is read as null.
 */
final class Json {
  private static final int MAX_DEPTH = 1000;
  /** A text of at least this length in UTF-16 code units is sent as an attachment. */
  private static final int LONG_TEXT = 1024;
  private final String text;
  private final List<Object> attachments;
  private int at;

  private Json(String text, List<Object> attachments) {
    this.text = text;
    this.attachments = attachments;
  }

  static Object parse(String text, List<Object> attachments) {
    if (text.isEmpty()) return null;
    Json json = new Json(text, attachments);
    Object value = json.value(0);
    json.space();
    if (json.at < text.length()) throw json.wrong();
    return value;
  }

  private Object value(int depth) {
    if (depth > MAX_DEPTH) throw new XpcException("decoding", "deeper than " + MAX_DEPTH + " levels");
    space();
    char first = at < text.length() ? text.charAt(at) : 0;
    switch (first) {
      case '{':
        return object(depth);
      case '[':
        return array(depth);
      case '"':
        return string();
      case 't':
        return word("true", true);
      case 'f':
        return word("false", false);
      case 'n':
        return word("null", null);
      default:
        return number();
    }
  }

  private Object object(int depth) {
    Map<String, Object> map = new LinkedHashMap<>();
    at++;
    for (space(); !take('}'); space()) {
      if (!map.isEmpty()) require(',');
      space();
      String key = string();
      space();
      require(':');
      map.put(key, value(depth + 1));
    }
    if (map.get("$") instanceof List<?> tag) return untag(map, tag);
    Map<String, Object> plain = new LinkedHashMap<>();
    map.forEach((key, value) -> plain.put(key.startsWith("$") ? key.substring(1) : key, value));
    return plain;
  }

  private Object untag(Map<String, Object> map, List<?> tag) {
    Object first = tag.size() > 1 ? tag.get(1) : null;
    switch (String.valueOf(tag.get(0))) {
      case "undefined":
        return null;
      case "number":
        return "-0".equals(first) ? (Object) (-0.0) : Double.valueOf(String.valueOf(first));
      case "bigint":
        return new BigInteger(String.valueOf(first));
      case "Date":
        return first instanceof Number time ? Instant.ofEpochMilli(time.longValue()) : null;
      case "Uint8Array", "String":
        return attachments.get(((Number) first).intValue());
      default:
        return map;
    }
  }

  private List<Object> array(int depth) {
    List<Object> list = new ArrayList<>();
    at++;
    for (space(); !take(']'); space()) {
      if (!list.isEmpty()) require(',');
      list.add(value(depth + 1));
    }
    return list;
  }

  private String string() {
    require('"');
    StringBuilder out = new StringBuilder();
    while (at < text.length()) {
      char next = text.charAt(at++);
      if (next == '"') return out.toString();
      if (next < ' ') break;
      if (next != '\\') {
        out.append(next);
        continue;
      }
      char escape = at < text.length() ? text.charAt(at++) : 0;
      int known = "\"\\/bfnrt".indexOf(escape);
      if (known >= 0) {
        out.append("\"\\/\b\f\n\r\t".charAt(known));
      } else if (escape == 'u' && at + 4 <= text.length()) {
        out.append((char) Integer.parseInt(text.substring(at, at + 4), 16));
        at += 4;
      } else {
        break;
      }
    }
    throw wrong();
  }

  private Object number() {
    int start = at;
    while (at < text.length() && "+-.0123456789eE".indexOf(text.charAt(at)) >= 0) at++;
    String digits = text.substring(start, at);
    try {
      return digits.matches("-?\\d{1,18}") ? (Object) Long.valueOf(digits) : Double.valueOf(digits);
    } catch (NumberFormatException cause) {
      throw wrong();
    }
  }

  private Object word(String word, Object value) {
    if (!text.startsWith(word, at)) throw wrong();
    at += word.length();
    return value;
  }

  private void space() {
    while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) at++;
  }

  private boolean take(char wanted) {
    if (at >= text.length() || text.charAt(at) != wanted) return false;
    at++;
    return true;
  }

  private void require(char wanted) {
    if (!take(wanted)) throw wrong();
  }

  private XpcException wrong() {
    return new XpcException("decoding", "not JSON at character " + at);
  }

  static String write(Object value, List<Object> attachments, boolean takesTexts) {
    StringBuilder out = new StringBuilder();
    write(value, attachments, takesTexts, out, 0);
    return out.toString();
  }

  private static void write(
      Object value, List<Object> attachments, boolean takesTexts, StringBuilder out, int depth) {
    if (depth > MAX_DEPTH) throw new XpcException("encoding", "deeper than " + MAX_DEPTH + " levels");
    if (value == null || value instanceof Boolean || value instanceof Integer || value instanceof Long) {
      out.append(value);
    } else if (value instanceof Number number && !(value instanceof BigInteger)) {
      writeNumber(number.doubleValue(), out);
    } else if (value instanceof BigInteger) {
      out.append("{\"$\":[\"bigint\",\"").append(value).append("\"]}");
    } else if (value instanceof Instant time) {
      out.append("{\"$\":[\"Date\",").append(time.toEpochMilli()).append("]}");
    } else if (value instanceof byte[] bytes) {
      out.append("{\"$\":[\"Uint8Array\",").append(attachments.size()).append("]}");
      attachments.add(bytes);
    } else if (takesTexts && value instanceof CharSequence text && isLong(text)) {
      out.append("{\"$\":[\"String\",").append(attachments.size()).append("]}");
      attachments.add(text.toString());
    } else if (value instanceof CharSequence) {
      writeString(value.toString(), out);
    } else if (value instanceof Map<?, ?> map) {
      char before = '{';
      for (Map.Entry<?, ?> entry : map.entrySet()) {
        String key = String.valueOf(entry.getKey());
        writeString(key.startsWith("$") ? "$" + key : key, out.append(before));
        write(entry.getValue(), attachments, takesTexts, out.append(':'), depth + 1);
        before = ',';
      }
      out.append(before == '{' ? "{}" : "}");
    } else if (value instanceof Iterable<?> items) {
      char before = '[';
      for (Object item : items) {
        write(item, attachments, takesTexts, out.append(before), depth + 1);
        before = ',';
      }
      out.append(before == '[' ? "[]" : "]");
    } else {
      throw new XpcException("encoding", value.getClass().getName() + " cannot be carried");
    }
  }

  private static void writeNumber(double number, StringBuilder out) {
    boolean isPlain = Double.isFinite(number) && !(number == 0 && 1 / number < 0);
    if (isPlain && number == Math.rint(number) && Math.abs(number) < 1e15) out.append((long) number);
    else if (isPlain) out.append(number);
    else out.append("{\"$\":[\"number\",\"").append(number == 0 ? "-0" : String.valueOf(number)).append("\"]}");
  }

  private static void writeString(String text, StringBuilder out) {
    out.append('"');
    for (int index = 0; index < text.length(); index++) {
      char next = text.charAt(index);
      if (next == '"' || next == '\\') out.append('\\').append(next);
      else if (next < ' ' || isLone(text, index)) out.append(String.format("\\u%04x", (int) next));
      else out.append(next);
    }
    out.append('"');
  }

  private static boolean isLong(CharSequence text) {
    return text.length() >= LONG_TEXT && StandardCharsets.UTF_8.newEncoder().canEncode(text);
  }

  /** True if the code unit at `index` is a lone surrogate, which has no UTF-8 form. */
  private static boolean isLone(String text, int index) {
    char unit = text.charAt(index);
    if (Character.isHighSurrogate(unit)) {
      return index + 1 == text.length() || !Character.isLowSurrogate(text.charAt(index + 1));
    }
    return Character.isLowSurrogate(unit) && (index == 0 || !Character.isHighSurrogate(text.charAt(index - 1)));
  }
}
