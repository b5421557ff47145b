package dev.ebb.api.http;

import dev.ebb.api.problem.Refusal;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;

/**
 * The bytes of a body, in pieces as they arrived: it grows without a copy of itself, and by no more
 * than its sender has sent, twice that at most.
 */
final class BodyBytes {
  private static final int FIRST_PIECE = 1024;
  private static final int LARGEST_PIECE = 16 * 1024;

  private final IntConsumer budget;
  private final List<byte[]> pieces = new ArrayList<>();
  private int inLast;
  private int size;

  /**
   * @param budget asked for the bytes of each piece before there is one; may refuse
   */
  BodyBytes(IntConsumer budget) {
    this.budget = budget;
  }

  /** Reads what there is, at least a byte; false at the end. */
  boolean readFrom(InputStream in) throws IOException {
    if (pieces.isEmpty() || inLast == pieces.getLast().length) {
      addPiece();
    }
    byte[] last = pieces.getLast();
    int read = in.read(last, inLast, last.length - inLast);
    inLast += Math.max(read, 0);
    size += Math.max(read, 0);
    return read >= 0;
  }

  private void addPiece() {
    int length = pieces.isEmpty() ? FIRST_PIECE : Math.min(2 * inLast, LARGEST_PIECE);
    budget.accept(length);
    pieces.add(new byte[length]);
    inLast = 0;
  }

  int size() {
    return size;
  }

  ByteBuffer whole() {
    ByteBuffer whole = ByteBuffer.allocate(size);
    for (byte[] piece : pieces) {
      whole.put(piece, 0, Math.min(piece.length, whole.remaining()));
    }
    return whole.flip();
  }

  /** The whole as text, which must be UTF-8. */
  String text() {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(whole()).toString();
    } catch (CharacterCodingException e) {
      throw Refusal.json("", "must be valid UTF-8");
    }
  }
}
