// The program that the names of cxx.tsv come from. To make them anew (Debian's clang-19 and llvm-19):
//   clang++-19 -std=c++23 -c cxx.cpp -o cxx.o && nm cxx.o | awk '{print $NF}' | grep ^_Z | sort -u > names
//   paste names <(llvm-cxxfilt-19 < names) <(llvm-cxxfilt-19 --no-params < names) > cxx.tsv
#include <concepts>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace shop {
inline namespace v2 {
struct Cart {
  Cart();
  Cart(const Cart &);
  virtual ~Cart();
  explicit operator bool() const;
  template <class T> operator T *();
  int operator[](int) const;
  int operator()(int) &&;
  Cart &operator++();
  Cart operator++(int);
  bool operator<=>(const Cart &) const;
  void *operator new(size_t);
  void volatileOnly() volatile &;
  int items[3];
  static thread_local int count;
};
} // namespace v2
struct [[gnu::abi_tag("v9")]] Tagged {
  [[gnu::abi_tag("x")]] int price();
};
} // namespace shop

using shop::Cart;
Cart::Cart() {}
Cart::Cart(const Cart &) {}
Cart::~Cart() {}
Cart::operator bool() const { return true; }
template <class T> Cart::operator T *() { return nullptr; }
template Cart::operator const char *();
int Cart::operator[](int) const { return 0; }
int Cart::operator()(int) && { return 0; }
Cart &Cart::operator++() { return *this; }
Cart Cart::operator++(int) { return *this; }
bool Cart::operator<=>(const Cart &) const { return true; }
void *Cart::operator new(size_t) { return nullptr; }
void Cart::volatileOnly() volatile & {}
int shop::Tagged::price() { return 1; }
int make();
thread_local int Cart::count = make();
int useCount() { return Cart::count; }
unsigned long long operator""_cents(unsigned long long c) { return c; }

// Values as template arguments.
enum Color { red = 1, none = -2 };
enum class Size : char { large = 'L' };
int stock;
int shelves[4];
struct Point {
  int x;
  float y;
};
template <auto V> struct Value {
  void show() {}
};
template struct Value<5>;
template struct Value<-7ll>;
template struct Value<'a'>;
template struct Value<true>;
template struct Value<red>;
template struct Value<none>;
template struct Value<Size::large>;
template struct Value<nullptr>;
template struct Value<&stock>;
template struct Value<&shelves[2]>;
template struct Value<&Cart::items>;
template struct Value<1.5>;
template struct Value<-0.1f>;
template struct Value<3.25L>;
template struct Value<Point{1, 2.5f}>;

// Packs and folds.
template <class...> struct List {};
template <class... T> auto pointers(T...) -> List<T *...> { return {}; }
template List<> pointers();
template List<int *, char *> pointers(int, char);
template <class... T> auto sum(T... t) -> decltype((t + ...)) { return (t + ...); }
template int sum(int, int);
template <class... T> auto sumFrom(T... t) -> decltype((0 + ... + t)) { return (0 + ... + t); }
template int sumFrom(int);
template <class... A> struct Outer {
  template <class... B> static void zip(List<A, B>...) {}
};
template <class... T> void sizes(T (&...)[3]) {}
template void sizes(int (&)[3], char (&)[3]);
template <class... T> auto count(T *...t) -> Value<int(sizeof...(T))> { return {}; }
template Value<2> count(int *, char *);

// Expressions that are mangled because they depend on a parameter.
template <class T, int N> auto last(T (&a)[N]) -> decltype(a[N - 1]) { return a[N - 1]; }
template int &last(int (&)[3]);
template <class T> auto mix(T t) -> decltype(static_cast<long>(t) + (t ? 1 : 2) - -t + ~t + !t + sizeof(T)) { return 1; }
template unsigned long mix(int);
template <class T> auto fresh(T t) -> decltype(new T(t), noexcept(t), t.~T(), 1) { return 1; }
template int fresh(int);
template <class T> std::enable_if_t<(sizeof(T) > 2)> big(T) {}
template void big(int);
template <class F, class... A> auto invoke(F &&f, A &&...a) -> decltype(static_cast<F &&>(f)(static_cast<A &&>(a)...)) {
  return f(static_cast<A &&>(a)...);
}
template int invoke(int (&)(int, char), int &&, char &&);

// Concepts.
template <class T> concept Small = sizeof(T) < 8;
template <Small T> void narrow(T) {}
template void narrow(int);
template <class T> requires Small<T> && std::integral<T> void narrower(T) {}
template void narrower(int);
template <class T> void checked(T) requires requires(T a) { a + a; { a * a } noexcept -> std::same_as<T>; requires Small<T>; } {}
template void checked(int);
void anything(Small auto, auto...) {}
template void anything(int, char, long);
template <template <class...> class C, class... X> struct Apply {
  void run(C<X...>) {}
};
template struct Apply<List, int, char>;

// Types without names, lambdas, what is local.
template <class T> void locals(T t) {
  auto generic = [](auto &&...x) { return [=](int) { return 1; }(1); };
  generic(1, 2.0);
  static int once = generic(t);
  struct Inner {
    ~Inner() {}
    void run() { [] {}(); }
  } inner;
  inner.run();
  (void)once;
}
template void locals(int);
struct Lazy {
  int start = [] { return 7; }();
  static void run(int a = [] { return 1; }(), int b = [] { return 2; }()) {}
};
void useLazy() {
  Lazy lazy;
  Lazy::run();
}
struct {
  void run() {}
} nameless;
void useNameless() { nameless.run(); }
namespace {
template <class T> void hidden(T) {}
} // namespace
void useHidden() {
  enum { a } unnamed = a;
  hidden(unnamed);
  hidden([](int, auto) {});
}
auto [first, second] = std::pair<int, int>(1, 2);
int useBindings() { return first + second; }
const Cart &kept = Cart();

// Declarators.
void shapes(int (*)(char), int (Cart::*)(double) const, int Cart::*, int (&)[3], int (&&)[2][3], void (*const *)(void (*)(int) noexcept)) {}
int (*returnsPointer(int))(char) { return nullptr; }
template <class T> int (*returnsPointerOf(T))(char) { return nullptr; }
template int (*returnsPointerOf(int))(char);
template <class T> void collapse(T &, T &&, const T &) {}
template void collapse<int &>(int &, int &, int &);
template void collapse<int(char)>(int (&)(char), int (&&)(char), int (&)(char));
typedef int Quad __attribute__((vector_size(16)));
void rare(_Complex double, __int128, char8_t, char32_t, std::nullptr_t, _Float16, Quad, unsigned _BitInt(37), int *__restrict, const char *const volatile *) {}
void variadic(const char *, ...) {}

// What the compiler makes.
struct Base {
  virtual void run();
};
struct Left : virtual Base {
  void run() override;
};
struct Right : virtual Base {
  virtual Right *self();
};
struct Both : Left, Right {
  void run() override;
  Both *self() override;
  Both();
};
void Base::run() {}
void Left::run() {}
Right *Right::self() { return nullptr; }
void Both::run() {}
Both *Both::self() { return nullptr; }
Both::Both() {}
struct Explicit {
  void by(this Explicit &, int) {}
};
void useExplicit() {
  Explicit e;
  e.by(1);
}
template <class T> T variable = T();
template int variable<int>;
