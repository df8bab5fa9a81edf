package dev.fairlead.channel;

/** A message failed. The code is one of the closed set in docs/PROTOCOL.md. */
public final class XpcException extends RuntimeException {
  private static final long serialVersionUID = 1;
  private final String code;

  public XpcException(String code, String message) {
    super(code + ": " + message);
    this.code = code;
  }

  public String code() {
    return code;
  }
}
