package dev.fairlead.channel;

/** The other side broke the protocol, or was about to be sent what breaks it. */
public final class ProtocolException extends Exception {
  private static final long serialVersionUID = 1;

  ProtocolException(String message) {
    super(message);
  }
}
