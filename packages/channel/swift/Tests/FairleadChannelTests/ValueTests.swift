import XCTest

@testable import FairleadChannel

private struct Item: Codable, Equatable {
  struct Part: Codable, Equatable {
    var name: String
    var size: Int?
  }

  var title: String
  var parts: [Part]
  var prices: [String: Double]
  var at: Date
  var data: Data
  var link: URL
  var kind: Kind
  var note: String?

  enum Kind: String, Codable { case small, large }
}

private class Base: Codable {
  var base = 1
}

private final class Derived: Base {
  var derived = 2

  private enum Key: String, CodingKey { case derived }

  override init() { super.init() }

  required init(from decoder: any Decoder) throws {
    derived = try decoder.container(keyedBy: Key.self).decode(Int.self, forKey: .derived)
    try super.init(from: decoder)
  }

  override func encode(to encoder: any Encoder) throws {
    try super.encode(to: encoder)
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(derived, forKey: .derived)
  }
}

private final class Chain: Codable {
  var next: Chain?

  init(_ next: Chain?) { self.next = next }
}

private func failure(_ body: () throws -> Void) -> ValueError? {
  do { try body() } catch { return error as? ValueError }
  return nil
}

final class ValueTests: XCTestCase {
  private func json<T: Encodable>(_ value: T, texts: Bool = false) throws -> String {
    String(decoding: try encodeValue(value, takesTexts: texts).json, as: UTF8.self)
  }

  private func decode<T: Decodable>(_ type: T.Type, _ json: String) throws -> T {
    try decodeValue(type, Body(json: Array(json.utf8), isASCII: false))
  }

  func testValuesOfEveryKindSurviveTheTrip() throws {
    let item = Item(
      title: "\"漢😀\\\n\u{1}\u{7f}", parts: [.init(name: "", size: nil), .init(name: "b", size: -3)],
      prices: ["$each": 0.1, "": -1e-300, "a\"b": 12], at: Date(timeIntervalSince1970: 1.5),
      data: Data([0, 255, 16]), link: URL(string: "https://example.org/?a=b#c")!, kind: .large, note: nil)
    for texts in [false, true] {
      let body = try encodeValue([item, item], takesTexts: texts)
      XCTAssertEqual(try decodeValue([Item].self, body), [item, item])
    }
  }

  func testNumbersAreExact() throws {
    XCTAssertEqual(try json([0.1, -0.0, 1e300, 2.5e-300, 3.0]), #"[0.1,{"$":["number","-0"]},1e+300,2.5e-300,3]"#)
    XCTAssertEqual(try json([Double.nan, .infinity]), #"[{"$":["number","NaN"]},{"$":["number","Infinity"]}]"#)
    XCTAssertEqual(try json(Int64.min), #"{"$":["bigint","-9223372036854775808"]}"#)
    for number in [Int64.min, -1, 0, 1 << 53, .max] {
      XCTAssertEqual(try decodeValue(Int64.self, try encodeValue(number, takesTexts: false)), number)
    }
    XCTAssertEqual(try decodeValue(UInt64.self, try encodeValue(UInt64.max, takesTexts: false)), .max)
    XCTAssertTrue(try decodeValue(Double.self, try encodeValue(Double.nan, takesTexts: false)).isNaN)
    XCTAssertEqual(try decode(Double.self, #"{"$":["number","-0"]}"#).sign, .minus)
    XCTAssertEqual(try decode(Int.self, "1e3"), 1000)
    XCTAssertEqual(try decode([Float].self, "[0.1,16777216]"), [0.1, 16_777_216])
    XCTAssertEqual(try json(Float(0.1)), "0.1")
    XCTAssertEqual(failure { _ = try self.decode(Int8.self, "128") }?.detail, "128 does not fit into Int8")
    XCTAssertNotNil(failure { _ = try self.decode(Int.self, "1.5") })
  }

  func testDecimalsAreReadToTheNearestDouble() throws {
    var seed: UInt64 = 27
    for length in 1...17 {
      for point in 0..<length {
        for _ in 0..<40 {
          seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
          let digits = String(seed % 99_999_999_999_999_999 + 100_000_000_000_000_000).suffix(length)
          // JSON allows no leading zeros.
          let whole = digits.prefix(point).drop { $0 == "0" }
          let text = "\(seed & 1 == 0 ? "-" : "")\(whole.isEmpty ? "0" : whole).\(digits.dropFirst(point))"
          XCTAssertEqual(try decode(Double.self, text).bitPattern, Double(text)?.bitPattern, text)
        }
      }
    }
  }

  func testKeysThatStartWithADollarAreEscaped() throws {
    XCTAssertEqual(try json(["$": ["Date", "1"]]), #"{"$$":["Date","1"]}"#)
    XCTAssertEqual(try decode([String: [String]].self, #"{"$$":["Date","1"]}"#), ["$": ["Date", "1"]])
    XCTAssertEqual(try decode([String: Int].self, #"{"$$a":1,"$$$b":2}"#), ["$a": 1, "$$b": 2])
  }

  func testLongTextsGoBesideTheJSONToASideThatTakesThem() throws {
    let text = String(repeating: "wörd", count: 400)
    XCTAssertEqual(try json([text], texts: true), #"[{"$":["String",0]}]"#)
    let body = try encodeValue([text], takesTexts: true)
    XCTAssertEqual(body.attachments, [Attachment(bytes: Array(text.utf8), isText: true)])
    XCTAssertEqual(try decodeValue([String].self, body), [text])
    XCTAssertTrue(try encodeValue([text], takesTexts: false).attachments.isEmpty)
  }

  func testValuesOfJavaScriptDecodeToTheTypesOfSwift() throws {
    XCTAssertNil(try decode(Int?.self, #"{"$":["undefined"]}"#))
    XCTAssertNil(try decodeValue(Int?.self, .none))
    XCTAssertEqual(try decode([String: Int].self, #"{"$":["Map",[["a",1],["b",2]]]}"#), ["a": 1, "b": 2])
    XCTAssertEqual(try decode(Set<Int>.self, #"{"$":["Set",[1,2]]}"#), [1, 2])
    XCTAssertEqual(try decode(Date.self, #"{"$":["Date",5]}"#), Date(timeIntervalSince1970: 0.005))
    XCTAssertEqual(try decode(URL.self, #"{"$":["URL","https://a.b/"]}"#).host, "a.b")
    XCTAssertEqual(try decode(String.self, #""\ud83d\ude00\u00e9\/""#), "😀é/")
    let error = try decode(XPCValue.self, #"{"$":["Error",{"name":"E","message":"m","code":7}]}"#)
    XCTAssertEqual(error, .error(RemoteError(name: "E", message: "m", fields: ["code": .number(7)])))
  }

  func testEveryCaseOfXPCValueSurvivesTheTrip() throws {
    let values: [XPCValue] = [
      .undefined, .null, .bool(true), .number(-0.0), .number(.nan), .bigint("-1208925819614629174706176"),
      .string("漢"), .date(Date(timeIntervalSince1970: 5)), .invalidDate, .url("https://a.b/"),
      .regExp(source: "a\"b", flags: "gu"), .bytes(Data([1, 2]), kind: "Uint16Array"), .array([]), .set([.number(1)]),
      .map([(key: .number(1), value: .null)]), .object(["$": .array([.string("Date"), .number(1)])]),
      .error(RemoteError(name: "A", message: "b", stack: "c", cause: RemoteError(name: "D", message: "e"))),
    ]
    XCTAssertEqual(
      try decodeValue(XPCValue.self, try encodeValue(XPCValue.array(values), takesTexts: true)), .array(values))
  }

  func testAClassAndItsSuperclassWriteToOneObject() throws {
    XCTAssertEqual(try json(Derived()), #"{"base":1,"derived":2}"#)
    let read = try decode(Derived.self, #"{"derived":4,"base":3}"#)
    XCTAssertEqual([read.base, read.derived], [3, 4])
  }

  func testErrorsGiveThePathOfWhatIsWrong() {
    struct User: Codable { var tags: [String] }
    struct Holder: Codable { var user: User }
    let wrong = failure { _ = try self.decode(Holder.self, #"{"user":{"tags":["a","b",3]}}"#) }
    XCTAssertEqual(wrong?.path, "user.tags[2]")
    XCTAssertEqual(wrong?.detail, "expected String, got number")
    let missing = failure { _ = try self.decode(Holder.self, #"{"user":{}}"#) }
    XCTAssertEqual(missing?.path, "user.tags")
    let odd = failure { _ = try self.decode([String: [Int]].self, #"{"a b":[1,null]}"#) }
    XCTAssertEqual(odd?.path, #"["a b"][1]"#)
  }

  func testWhatIsNotJSONIsRefused() {
    for text in [
      "{", "[", "[1,]", "{\"a\":1,}", "{\"a\"}", "01", "1.", ".5", "-", "+1", "tru", "\"", "\"\\x\"", "\"\\u12g4\"",
      "\"\n\"", "[1 2]", "1 2", "{1:2}", "]", "nul", "NaN", "'a'", "[}", "{]", "1e", "\"\\", "\"\\u12",
    ] {
      XCTAssertEqual(failure { _ = try self.decode(XPCValue.self, text) }?.detail, "the body is not JSON", text)
    }
    for tag in [
      #"{"$":["Uint8Array",0]}"#, #"{"$":["String",-1]}"#, #"{"$":["nothing",1]}"#, #"{"$":["Map",[1]]}"#,
      #"{"$":["Map",3]}"#, #"{"$":["RegExp"]}"#, #"{"$":["Error"]}"#, #"{"$":["bigint",1]}"#,
    ] {
      XCTAssertNotNil(failure { _ = try self.decode(XPCValue.self, tag) }, tag)
    }
  }

  func testDepthIsLimitedInBothDirections() throws {
    let deep = String(repeating: "[", count: 3000) + String(repeating: "]", count: 3000)
    XCTAssertEqual(failure { _ = try self.decode(XPCValue.self, deep) }?.detail, "deeper than 1000 levels")
    let deeper = String(repeating: "[", count: 1_000_000)
    XCTAssertEqual(failure { _ = try self.decode(XPCValue.self, deeper) }?.detail, "deeper than 1000 levels")
    let objects = String(repeating: #"{"next":"#, count: 2000) + "null" + String(repeating: "}", count: 2000)
    XCTAssertNotNil(failure { _ = try self.decode(Chain.self, objects) })
    let cyclic = Chain(nil)
    cyclic.next = cyclic
    XCTAssertEqual(failure { _ = try encodeValue(cyclic, takesTexts: false) }?.detail, "deeper than 1000 levels")
    cyclic.next = nil
  }

  func testASmallStackIsRespectedBeforeItEnds() {
    let done = expectation(description: "the thread")
    let thread = Thread {
      let cyclic = Chain(nil)
      cyclic.next = cyclic
      let found = failure { _ = try encodeValue(cyclic, takesTexts: false) }
      XCTAssertTrue(found?.detail.contains("deep") ?? false, "\(String(describing: found?.detail))")
      cyclic.next = nil
      done.fulfill()
    }
    thread.stackSize = 256 * 1024
    thread.start()
    wait(for: [done], timeout: 20)
  }

  func testManyKeysAreFoundInTimeThatGrowsWithTheirNumberOnly() throws {
    let members = Dictionary(uniqueKeysWithValues: (0..<100_000).map { ("key\($0)", [$0]) })
    let body = try encodeValue(members, takesTexts: false)
    XCTAssertEqual(try decodeValue([String: [Int]].self, body), members)
  }
}
