package dev.fairlead.channel;

/** The other side broke the protocol, or this side was about to send a frame that breaks it. */
public final class ProtocolException extends Exception {
  private static final long serialVersionUID = 1;

  ProtocolException(String message) {
    super(message);
  }
}
