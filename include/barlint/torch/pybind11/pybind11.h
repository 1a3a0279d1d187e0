// The part of pybind11 that registers functions and classes.
#ifndef BARLINT_PYBIND11_H
#define BARLINT_PYBIND11_H

#include <string>

#define PYBIND11_VERSION_MAJOR 2
#define BARLINT_PYBIND11_CALL(result, name) template <typename... B> result name(const B &...)

namespace pybind11 {
class object {
  public:
    object attr(const char *name) const;
    template <typename T> T cast() const;
    template <typename T> object &operator=(const T &value);
    BARLINT_PYBIND11_CALL(object, operator()) const;
    bool is_none() const;
};
using handle = object;
class module_ : public object {
  public:
    template <typename... A> module_ &def(const char *name, const A &...);
    module_ def_submodule(const char *name, const char *text = "");
    const char *doc() const;
};
using module = module_;
struct arg {
    explicit arg(const char *name);
    template <typename T> arg operator=(const T &value) const;
    arg noconvert();
};
template <typename... A> struct init {};
template <typename... A> struct call_guard {};
struct gil_scoped_release {
    gil_scoped_release();
    ~gil_scoped_release();
};
struct gil_scoped_acquire {
    gil_scoped_acquire();
    ~gil_scoped_acquire();
};
class none : public object {};
class bytes : public object {};
class str : public object {};
class list : public object {};
class dict : public object {};
class tuple : public object {};
class function : public object {};
template <typename... A> class class_ : public object {
  public:
    template <typename... B> class_(const B &...);
    BARLINT_PYBIND11_CALL(class_ &, def);
    BARLINT_PYBIND11_CALL(class_ &, def_static);
    BARLINT_PYBIND11_CALL(class_ &, def_readwrite);
    BARLINT_PYBIND11_CALL(class_ &, def_readonly);
    BARLINT_PYBIND11_CALL(class_ &, def_property);
    BARLINT_PYBIND11_CALL(class_ &, def_property_readonly);
};
template <typename T> class enum_ : public object {
  public:
    template <typename... B> enum_(const B &...);
    BARLINT_PYBIND11_CALL(enum_ &, value);
    enum_ &export_values();
};
} // namespace pybind11

#define PYBIND11_MODULE(name, m) static void barlint_module_##name(pybind11::module_ &m)

#endif
